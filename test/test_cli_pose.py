# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""turgor pose, from outside: test_cli_pose.py PROGRAM ASSETS_DIR

Against frames of the bake, and against linear skinning in plain Python.
"""

import os
import tempfile
from pathlib import Path

import cli_helper as cli
from cli_helper import asset, case, check, check_equal, model, run, run_failing, run_json
from cli_readers import (IDENTITY, Gltf, bake_pc2, check_close, edit_gltf, pose_pc2, read_mdd, read_obj,
                         skin_linearly, transform, turn_matrix)


@case("linear", "dual-quaternion")
def pose_is_a_frame_of_the_bake(skinning):
    for path in (model("giraffe"), model("cylinder")):
        options = ["--skinning", skinning]
        frames = bake_pc2(path, *options)
        for i in (0, 13, 45, len(frames) - 1):
            check_equal(pose_pc2(path, "--frame", i, *options), frames[i], f"frame {i}")
        check_equal(pose_pc2(path, "--time", 0.5, *options), frames[15], "the pose at 0.5 s")
        check_equal(pose_pc2(path, "--time", -1, *options), frames[0], "the pose before the start")
        check_equal(pose_pc2(path, "--time", 1e6, *options), frames[-1], "the pose after the end")
        slow = bake_pc2(path, "--fps", 12, *options)
        check_equal(pose_pc2(path, "--fps", 12, "--frame", 7, *options), slow[7], "at 12 fps")
    run_failing(path, "pose", path, "-o", cli.WORK / "x.pc2", "--frame", len(frames))


@case()
def pose_formats_agree():
    path = model("elephant")
    wanted = pose_pc2(path, "--frame", 40)
    arguments = ["pose", path, "--frame", 40, "-o"]
    with tempfile.TemporaryDirectory(dir=cli.WORK) as name:
        folder = Path(name)
        for ending in ("mdd", "obj"):
            out, _ = run(*arguments, folder / f"x.{ending}")
            check(f"{len(wanted) // 3} vertices, volume " in out, f"printed {out!r}")
        check_equal(read_mdd(folder / "x.mdd")[1], [wanted], "the MDD")
        check_equal(read_obj(folder / "x.obj")[0], wanted, "the OBJ")
        check_equal(sorted(os.listdir(folder)), ["x.mdd", "x.obj"], "what was written")
    for ending in ("glb", "gltf"):
        target = cli.WORK / f"still.{ending}"
        run(*arguments, target)
        gltf = Gltf(target)
        shown = [x for n, p in gltf.get_parts(lambda node: True)
                 for x in transform(gltf.get_world(n), gltf.read(p["attributes"]["POSITION"]))]
        check_close(shown, wanted, 1e-6, f"the {ending}")
        check(not {"skins", "animations"} & set(gltf.json), "a still has a skin or moves")
        check("targets" not in gltf.json["meshes"][0]["primitives"][0], "a still has morph targets")


@case()
def pose_rotate():
    tube, arm, giraffe = model("cylinder"), model("arm"), model("giraffe")
    names = run_json("info", arm)["jointNames"]
    long_neck = run_json("info", giraffe)["jointNames"]
    for path, turns in (
        (tube, [("bone1", (0, 0, 1), 70)]),
        (tube, [("bone0", (0, 0, 1), 30)]),
        (tube, [("bone0", (0, 0, 1), 30), ("bone1", (1, 0, 0), 50)]),
        (tube, [("bone1", (1, 0, 0), 50), ("bone0", (0, 0, 2), 30)]),  # any order, any length
        (tube, [("bone1", (0, 1, 0), 40), ("bone1", (0, 0, 1), -60)]),  # one after the other
        (tube, [("bone1", (1, 2, 3), 500)]),
        (arm, [(names[i], (i, 1, 2 - i), 20 + 10 * i) for i in range(len(names))]),
        (giraffe, [(name, (0.3, 0.1 * i, 1), 7) for i, name in enumerate(long_neck)]),
    ):
        options = [f"--rotate={n}={a[0]},{a[1]},{a[2]},{d}" for n, a, d in turns]
        posed = pose_pc2(path, "--volume", "none", "--skinning", "linear", *options)
        check_close(posed, skin_linearly(path, turns), 2e-6, f"{path.stem} turned by {turns[:2]}")
    turned = pose_pc2(tube, "--rotate", "bone0=0,0,1,90")  # all of it: rigid under either skinning
    rest = Gltf(tube).read_skin_positions()
    check_close(turned, transform(turn_matrix((0, 0, 1), 90, (0, 0, 0)), rest), 2e-6, "rigid")


@case()
def pose_rotate_wrong_joint():
    path = model("cylinder")
    for joint, wanted in (("bone2", ", perhaps bone0"), ("Bone1", ", perhaps bone1"), ("", "turgor info lists"),
                          ("x" * 300, "turgor info lists"), ("tube", "turgor info lists")):
        err = run_failing(path, "pose", path, "-o", cli.WORK / "x.obj", "--rotate", f"{joint}=0,0,1,9")
        check("no joint" in err and wanted in err, f"the message is {err!r}")
    run_failing(path, "pose", path, "-o", cli.WORK / "x.obj", "--rotate", "bone1=0,0,1,9", "--rotate",
                "bone=0,0,1,9")


@case(("CesiumMan.glb", [[0, 1, 0], [0, 0, 1], [1, 0, 0]]), ("RiggedFigure.glb", [[1, 0, 0], [0, 0, 1], [0, -1, 0]]),
      ("Fox.glb", IDENTITY), ("spot_vs.glb", IDENTITY), ("human_makehuman.glb", IDENTITY))
def pose_without_a_turn_is_the_bind_pose(how):
    """As it stands in the file, whose nodes may stand up what lies; it tells that vertices keep the file's order."""
    name, stand = how
    path = asset(name)
    joint = run_json("info", path)["jointNames"][-1]
    posed = pose_pc2(path, "--rotate", f"{joint}=0,0,1,0")
    stand = [row[:3] + [0.0] for row in stand[:3]] + [[0.0, 0.0, 0.0, 1.0]]
    check_close(posed, transform(stand, Gltf(path).read_skin_positions()), 2e-6, "the bind pose")


@case("CesiumMan.glb", "RiggedFigure.glb", "Yeti.glb", "elephant_african_bush.glb", "hand_bones.glb")
def pose_without_a_turn_stands_as_the_file_does(name):
    """These files' nodes rest in the bind pose, so without animations that is what they show."""
    path = asset(name)
    joint = run_json("info", path)["jointNames"][-1]
    still = edit_gltf(path, lambda document: document.pop("animations", None), cli.WORK / "still.glb")
    posed = pose_pc2(path, "--volume", "none", "--rotate", f"{joint}=0,0,1,0")
    check_close(posed, pose_pc2(still, "--volume", "none", "--frame", 0), 2e-5, "as the nodes stand")


if __name__ == "__main__":
    cli.main(least_written=2)
