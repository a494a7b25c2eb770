# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""turgor bake and demo, from outside: test_cli_bake.py PROGRAM ASSETS_DIR

What they write is read back with readers of our own: all formats hold the same frames.
"""

import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import cli_helper as cli
from cli_helper import (Skipped, asset, case, check, check_equal, check_near, list_assets, model,
                        needs_assimp, new_folder, run, run_failing, run_json)
from cli_readers import (Gltf, bake_pc2, check_close, check_png, check_svg, edit_gltf, get_distance,
                         get_volume, read_baked_gltf, read_mdd, read_obj)


def check_bake(path, first, last):
    """All formats hold the same frames; the GLB's base is the bind pose. Quads that leave as triangles
    have another volume to keep, and move by a little of the skin."""
    span = ["--frames", f"{first}:{last}"]
    frames = bake_pc2(path, *span, first=first)
    count = last - first + 1
    check_equal(len(frames), count, "frames")
    with tempfile.TemporaryDirectory(dir=cli.WORK) as name:
        folder = Path(name)
        run("bake", path, "-o", folder / "x.mdd", *span)
        times, mdd = read_mdd(folder / "x.mdd")
        check_equal(mdd, frames, "frames of the MDD against those of the PC2")
        run("bake", path, "-o", folder / "x.obj", *span)
        names = [f"x_{first + i:04d}.obj" for i in range(count)]
        check_equal(sorted(os.listdir(folder)), sorted(names + ["x.mdd"]), "names of the sequence")
        for i, name in enumerate(names):
            check_equal(read_obj(folder / name)[0], frames[i], f"{name} against the PC2")
    near = 2e-3 if run_json("info", path)["quads"] else 1e-6
    for ending in (".glb", ".gltf"):
        target = cli.WORK / f"baked_{path.stem}_{path.suffix[1:]}{ending}"
        run("bake", path, "-o", target, *span)
        gltf, base, shown = read_baked_gltf(target)
        for i in range(count):
            check_close(shown[i], frames[i], near, f"frame {first + i} of {target.name}")
        check_frame_animation(gltf, times)
        check_close(base, frames[0], near, "the baked base, which is the first frame")
    return times


def check_frame_animation(gltf, times):
    """One key for each frame, which turns on its own target alone."""
    animation, = gltf.json["animations"]
    channels = [c for c in animation["channels"] if c["target"]["path"] == "weights"]
    check(channels, "no weights are animated")
    for channel in channels:
        sampler = animation["samplers"][channel["sampler"]]
        check_equal(sampler.get("interpolation", "LINEAR"), "LINEAR", "interpolation")
        check(get_distance(gltf.read(sampler["input"]), times) < 1e-6, "key times are off")
        weights = gltf.read(sampler["output"])
        wanted = [float(i == k) for i in range(len(times)) for k in range(len(times))]
        check_equal(weights, wanted, "weights of the frames")


@case("arm", "cylinder", "elephant", "finger", "giraffe")
def bake_formats_agree(name):
    times = check_bake(model(name), 20, 23)
    check(get_distance(times, [i / 30 for i in range(20, 24)]) < 1e-6, f"times are {times}")


COMPARED = ("CesiumMan.glb", "Fox.glb", "Yeti.glb", "RiggedFigure.glb", "RecursiveSkeletons.glb",
            "giraffe_vs.glb", "Snake.fbx", "RiggedFigure.dae")


@case(*COMPARED)
def bake_formats_agree_for_asset(name):
    path = asset(name)
    if needs_assimp(path):
        raise Skipped("this build reads no FBX and DAE")
    check_bake(path, 3, 4)


@case()
def bake_keeps_faces():
    obj, glb = model("arm", ".obj"), model("arm")
    run("bake", glb, "-o", cli.WORK / "faces.obj", "--frames", "0:0")
    positions, faces = read_obj(cli.WORK / "faces_0000.obj")
    check_equal([i for face in faces for i in face], Gltf(glb).read_skin_triangles(), "faces")
    check_equal(len(positions), len(read_obj(obj)[0]), "vertices")
    before, after = Gltf(glb), Gltf(cli.WORK / "baked_arm_glb.glb")
    check_equal(after.json["materials"], before.json["materials"], "materials")
    check("skins" not in after.json, "a baked file still has its skin")


@case()
def bake_range_is_part_of_the_whole():
    path = model("giraffe")
    whole = bake_pc2(path)
    check_equal(len(whole), 121, "frames of 4 s at 30 fps")
    for first, last in ((0, 0), (7, 19), (120, 120), (0, 120)):
        part = bake_pc2(path, "--frames", f"{first}:{last}", first=first)
        check_equal(part, whole[first:last + 1], f"frames {first}:{last}")
    for span in ("0:121", "121:121", "500:600"):
        err = run_failing(path, "bake", path, "-o", cli.WORK / "x.pc2", "--frames", span)
        check("0:120" in err, f"the message does not tell the frames there are: {err}")


@case()
def bake_threads_do_not_show():
    names = ["x.pc2", "x.mdd", "x.glb", "x.gltf", "x.obj"]
    for path in (model("elephant", vertices=1500), model("cylinder")):
        contents = {}
        for threads in (1, 8, 3, 0):
            with tempfile.TemporaryDirectory(dir=cli.WORK) as folder:
                for name in names:
                    run("bake", path, "-o", f"{folder}/{name}", "--frames", "30:33", "--threads",
                        threads)
                contents[threads] = {p.name: p.read_bytes() for p in Path(folder).iterdir()}
        check_equal(len(contents[1]), 8, "files")
        for threads in (8, 3, 0):
            for name in contents[1]:
                check(contents[threads][name] == contents[1][name],
                      f"{path.stem}: {name} differs with {threads} threads")


@case()
def bake_fps():
    path = model("cylinder")
    at_30 = bake_pc2(path)
    check_equal(len(at_30), 61, "frames of 2 s at 30 fps")
    for fps, count in ((10, 21), (1, 3), (0.5, 2), (0.1, 2), (29.97, 61), (60, 121)):
        frames = bake_pc2(path, "--fps", fps)
        check_equal(len(frames), count, f"frames at {fps} fps")
        if fps in (10, 1, 0.5):  # every so many frames fall on the same time, to the bit
            check_equal(frames, at_30[::int(30 / fps)], f"frames at {fps} fps")
    run("bake", path, "-o", cli.WORK / "x.mdd", "--fps", 12, "--frames", "6:8")
    check(get_distance(read_mdd(cli.WORK / "x.mdd")[0], [6 / 12, 7 / 12, 8 / 12]) < 1e-6, "times")


@case()
def bake_animation_by_name_and_number():
    def add_animation(document):
        other = json.loads(json.dumps(document["animations"][0]))
        other["name"] = "other way"
        other["channels"][0]["target"]["node"] = document["skins"][0]["joints"][0]
        document["animations"].append(other)

    path = edit_gltf(model("cylinder"), add_animation, cli.WORK / "two_animations.glb")
    first, second = (bake_pc2(path, "--animation", i) for i in (0, 1))
    check_equal(bake_pc2(path), first, "the default against animation 0")
    check_equal(bake_pc2(path, "--animation", "bend"), first, "bend against animation 0")
    check_equal(bake_pc2(path, "--animation=other way"), second, "the other way against number 1")
    check(get_distance(first[30], second[30]) > 0.1, "both animations are the same")
    for wrong in ("2", "-1", "Bend", "", "1x"):
        run_failing(path, "bake", path, "-o", cli.WORK / "x.pc2", "--animation", wrong)
    run("bake", path, "-o", cli.WORK / "second.glb", "--animation", 1)
    check_equal(Gltf(cli.WORK / "second.glb").json["animations"][0]["name"], "other way", "its name")


@case()
def bake_animations_of_asset():
    path = asset("Fox.glb")
    for number, (name, seconds) in enumerate((("Survey", 3.417), ("Walk", 0.708), ("Run", 1.158))):
        frames = bake_pc2(path, "--animation", name)
        check_equal(frames, bake_pc2(path, "--animation", number), f"{name} against its number")
        check_near(len(frames), 30 * seconds + 1, 1, f"frames of {name}")


@case()
def bake_skinning():
    path = model("cylinder")
    linear, dual = (bake_pc2(path, "--volume", "none", "--skinning", s)
                    for s in ("linear", "dual-quaternion"))
    for own in ([], ["--skinning", "auto"], ["--preset", "muscle"]):
        check_equal(bake_pc2(path, "--volume", "none", *own), linear, f"what glTF says, {own}")
    blend = bake_pc2(path, "--volume", "none", "--skinning", "blend")
    check_close(blend[0], linear[0], 1e-6, "the bind pose under the blend of both")
    measured = run_json("measure", path, "--skinning", "blend", "--fps", 4)
    check_equal(set(measured["worst"]), {"linear", "dualQuaternion", "blend", "corrected"}, "takes")
    check(abs(measured["worst"]["corrected"]) <= 1e-6, f"off by {measured['worst']}")
    run("render", path, "--skinning", "blend", "--compare", "-o", cli.WORK / "blend.png", "--frame", 9)
    run("measure", path, "--skinning", "blend", "--volume", "none", "--fps", 4)
    check_close(linear[0], dual[0], 1e-6, "the bind pose under both")
    check(get_distance(linear[30], dual[30]) > 0.1, "linear and dual quaternion are the same")


@case()
def bake_without_animation():
    path = edit_gltf(model("cylinder"), lambda document: document.pop("animations"),
                     cli.WORK / "no_animation.glb")
    frames = bake_pc2(path)
    check_equal(len(frames), 1, "frames")
    check_close(frames[0], Gltf(path).read_skin_positions(), 1e-6, "the only frame")
    run_failing(path, "bake", path, "-o", cli.WORK / "x.pc2", "--animation", "0")


@case()
def bake_json():
    path, target = model("cylinder"), cli.WORK / "told.pc2"
    arguments = ["bake", path, "-o", target, "--fps", 24, "--frames", "2:9"]
    plain = {"file": str(path), "output": str(target), "frames": 8, "vertices": 256, "fps": 24.0}
    check_equal(run_json(*arguments, "--volume", "none"), plain, "the JSON")
    told = run_json(*arguments)
    check(abs(told.pop("worst")) <= 1e-6, "the volume is not kept")
    check(abs(told.pop("residual")) < 1e-9, "there is a residual")
    check_equal(told, plain, "the rest of the JSON")
    out, _ = run(*arguments)
    check(re.search(r"within \S+ of its target in every frame\n$", out), f"it printed {out!r}")


@case()
def bake_over_its_own_input():
    path = cli.WORK / "own.glb"
    shutil.copy(model("cylinder"), path)
    err = run_failing(path, "bake", path, "-o", path, "--frames", "0:5")
    check("is the input" in err, err)
    check_equal(path.read_bytes(), model("cylinder").read_bytes(), "the rig")


@case()
def bake_of_the_other_assets():
    if not list_assets():
        raise Skipped("there is no assets folder")
    for path in list_assets():
        if path.name in COMPARED or needs_assimp(path):
            continue
        info = run_json("info", path)
        if info["joints"] == 0:
            run_failing(path, "bake", path, "-o", cli.WORK / "x.glb")
            continue
        if info["vertices"] > 50000:
            continue  # one with fewer vertices is there too
        target = cli.WORK / f"asset_{path.stem}_{path.suffix[1:]}.glb"
        run("bake", path, "-o", target, "--frames", "0:1" if info["animations"] else "0:0")
        posed = target.with_name(f"posed_{target.stem}.gltf")
        run("pose", path, "-o", posed, "--time", 0.5)
        # A file may hold more than its skin, and without one all of it counts.
        check(run_json("info", posed)["vertices"] >= info["vertices"], f"{posed} lost vertices")


@case("Trex.fbx")
def written_files_hold_the_volume(name):
    """Quads stay where the format has them; where it has not, the triangles hold the volume."""
    path = asset(name)
    if needs_assimp(path):
        raise Skipped("this build reads no FBX")
    told = {}
    for ending in (".glb", ".obj"):
        out, _ = run("pose", path, "-o", cli.WORK / f"written{ending}", "--time", 0.5)
        told[ending] = float(re.search(r"volume (\S+) ", out)[1])
    faces = [line.split()[1:] for line in (cli.WORK / "written.obj").read_text().splitlines()
             if line.startswith("f ")]
    check(sum(len(face) == 4 for face in faces) > 100, "the quads are gone")
    info = run_json("info", cli.WORK / "written.glb")
    check_equal(info["quads"], 0, "quads in a GLB")
    check_near(info["restVolume"] / told[".glb"], 1, 1e-5, "the GLB's volume over the one told")
    check(abs(told[".obj"] / told[".glb"] - 1) > 1e-5, "they are the same, which proves nothing")


@case()
def demo():
    with new_folder("for_demo") as folder:
        out, err = run("demo", folder=folder)
        check_equal(err, "", "standard error")
        made = folder / "demo"
        endings = (".glb", ".json", ".png", "_baked.glb", "_volume.svg")
        names = [name + ending for name in ("elephant", "giraffe", "human") for ending in endings]
        check_equal(sorted(os.listdir(made)), names, "files of the demo")
        for name in names:
            check(f"demo/{name}" in out, f"it does not tell of {name}")
        worsts = re.findall(r"^ +worst +(\S+) +(\S+) +(\S+)$", out, re.M)
        for name, worst in zip(("elephant", "giraffe", "human"), worsts, strict=True):
            glb = made / f"{name}.glb"
            check_png(made / f"{name}.png", 1920, 600)
            check(f"The {name}" in check_svg(made / f"{name}_volume.svg"), "title of the plot")
            gltf, base, (middle,) = read_baked_gltf(made / f"{name}_baked.glb", [60])
            frames = {len(p["targets"]) for p in gltf.json["meshes"][0]["primitives"]}
            check_equal((len(base) // 3, frames), (run_json("info", glb)["vertices"], {121}), "the bake")
            cli.WRITTEN.extend([glb, made / f"{name}_baked.glb"])
            check_equal(glb.read_bytes(), model(name).read_bytes(), "the GLB")
            fps = 30 if name == "giraffe" else 5  # all frames of one of them
            told = run_json("measure", glb, "--settings", made / f"{name}.json", "--fps", fps)
            measured = told["worst"]
            if fps == 30:
                check_near(float(worst[0]), 100 * measured["linear"], 0.006, "worst linear")
                check_near(float(worst[1]), 100 * measured["dualQuaternion"], 0.006, "worst dual")
                check_near(float(worst[2]), 100 * measured["corrected"], 1e-6, "worst corrected")
            check(abs(float(worst[2])) <= 1e-4, f"{name} misses its volume by {worst[2]} %")
            check(abs(measured["corrected"]) < 1e-6, "the demo does not keep its volume")
            flipped = told["flippedFaces"]
            plain = max(flipped["linear"], flipped["dualQuaternion"])
            check(flipped["corrected"] <= 1.05 * plain + 2, f"flipped faces: {flipped}")
            kept = get_volume(middle, Gltf(glb).read_skin_triangles())
            check_near(kept / told["perFrame"][2 * fps]["target"], 1, 2e-6, "volume of the baked GLB")
        rows = re.findall(r"^ +\d\.\d\d +[+-]\S+ +[+-]\S+ +[+-]\S+$", out, re.M)
        check(len(rows) >= 16, "the tables")


if __name__ == "__main__":
    cli.main(least_written=12)
