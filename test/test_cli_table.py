# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""What turgor measure tells, from outside: test_cli_table.py PROGRAM ASSETS_DIR

Against volumes of what turgor bake writes, in plain Python. How it samples dense meshes is in
test_cli_measure.py.
"""

import json
import math
import re

import cli_helper as cli
from cli_helper import (asset, case, check, check_equal, check_near, check_one_line, model, run, run_failing,
                        run_json, write_settings)
from cli_readers import Gltf, bake_pc2, check_svg, edit_gltf, get_diagonal, get_volume


def get_worst(measured, key):
    errors = [frame[key] / frame["target"] - 1 for frame in measured["perFrame"]]
    return max(errors, key=abs)


@case("arm", "elephant")
def measure_volumes(name):
    path = model(name)
    first, last = 30, 35
    measured = run_json("measure", path, "--volume", "none", "--frames", f"{first}:{last}")
    check_equal(set(measured), {"file", "components", "componentsWithoutVolume", "frames", "restVolume",
                                "perFrame", "worst", "flippedFaces", "selfIntersections", "targetScale"},
                "keys without a correction")
    check_equal(measured["file"], str(path), "file")
    check_equal(measured["frames"], last - first + 1, "frames")
    check_equal([f["frame"] for f in measured["perFrame"]], list(range(first, last + 1)), "numbers")
    gltf = Gltf(path)
    triangles = gltf.read_skin_triangles()
    rest = get_volume(gltf.read_skin_positions(), triangles)
    check_near(measured["restVolume"] / rest, 1, 1e-6, "rest volume over the one computed here")
    for key, skinning in (("linear", "linear"), ("dualQuaternion", "dual-quaternion")):
        frames = bake_pc2(path, "--volume", "none", "--skinning", skinning, "--frames",
                          f"{first}:{last}", first=first)
        for told, positions in zip(measured["perFrame"], frames):
            volume = get_volume(positions, triangles)
            check_near(told[key] / volume, 1, 1e-6, f"{key} of frame {told['frame']}")
            check_near(told["target"] / rest, 1, 1e-6, "target over rest, when nothing scales")
            check_near(told["time"], told["frame"] / 30, 1e-9, "time")
        check_near(measured["worst"][key], get_worst(measured, key), 1e-9, f"worst {key}")
        check(measured["worst"][key] < -0.001, f"worst {key} is {measured['worst'][key]}: no loss")


@case()
def measure_sign_of_the_worst():
    path = asset("human_makehuman.glb")
    measured = run_json("measure", path, "--fps", 1)
    for key in ("linear", "dualQuaternion"):
        check_near(measured["worst"][key], get_worst(measured, key), 1e-9, f"worst {key}")
    check(measured["worst"]["dualQuaternion"] > 0, "dual quaternions bulge on the human")
    check(measured["worst"]["linear"] < 0, "linear skinning pinches the human")


@case()
def measure_target_follows_scale():
    def scale_root(document):
        document["nodes"][document["skins"][0]["joints"][0]]["scale"] = [1.1, 1.1, 1.1]

    path = edit_gltf(model("cylinder"), scale_root, cli.WORK / "scaled.glb")
    measured = run_json("measure", path, "--frames", "0:30")
    for frame in measured["perFrame"]:
        check_near(frame["target"] / measured["restVolume"], 1.1 ** 3, 1e-5, "target over rest")
    check_near(measured["perFrame"][0]["linear"] / measured["perFrame"][0]["target"], 1, 1e-5,
               "volume over target before it bends")


@case()
def measure_text_and_plot():
    path, plot = model("arm"), cli.WORK / "arm.svg"
    out, err = run("measure", path, "--plot", plot, "--fps", 10)
    measured = run_json("measure", path, "--plot", cli.WORK / "again.svg", "--fps", 10)
    check_equal(err, "", "standard error")
    rows = re.findall(r"^ +(\d+) +\S+ +\S+ +(\S+) +(\S+) +(\S+)$", out, re.M)
    check_equal([int(row[0]) for row in rows], list(range(31)), "rows of the table")
    worst = re.search(r"^ +worst +(\S+) +(\S+) +(\S+)$", out, re.M)
    for i, key in ((1, "linear"), (2, "dualQuaternion"), (3, "corrected")):
        check_near(float(worst[i]), 100 * measured["worst"][key], 0.0006, f"worst {key} in percent")
        most = max(abs(float(row[i])) for row in rows)  # rounded, several may be as far off
        check_near(most, abs(float(worst[i])), 1e-9, f"of {key}")
    check_equal(plot.read_bytes(), (cli.WORK / "again.svg").read_bytes(), "the plot made again")
    text = check_svg(plot)
    for word in ("linear", "dual quaternion", "corrected", "to keep", "time (s)", "arm.glb"):
        check(word in text, f"the plot does not say {word!r}")
    for joint in measured["joints"]:
        check(joint["name"] in out, f"the text does not tell of {joint['name']}")
    out, _ = run("measure", path, "--plot", plot, "--fps", 10, "--volume", "none")
    check("corrected" not in out + check_svg(plot), "plain skinning has no correction to tell of")
    run("measure", path, "--plot", plot, "--frames", "4:4")
    check_svg(plot)


@case()
def measure_refuses_a_flat_mesh():
    path = asset("SimpleSkin.gltf")
    for options in ([], ["--json"], ["--plot", cli.WORK / "flat.svg"]):
        check("flat" in run_failing(path, "measure", path, *options), "it does not say flat")


@case()
def measure_threads_do_not_show():
    texts = {run("measure", model("elephant"), "--fps", 4, "--threads", n)[0] for n in (1, 2, 8)}
    check_equal(len(texts), 1, "different tables")


@case("arm", "elephant")
def measure_json_contract(name):
    path = model(name)
    measured = run_json("measure", path, "--fps", 4)
    check_equal(set(measured), {"file", "components", "componentsWithoutVolume", "frames", "restVolume",
                                "perFrame", "worst", "joints", "flippedFaces", "selfIntersections", "peakDisplacement",
                                "residual", "targetScale"}, "keys")
    check_equal(set(measured["targetScale"]), {"min", "max"}, "keys of targetScale")
    for end in ("min", "max"):
        check_near(measured["targetScale"][end], 1, 1e-6, f"{end} of the targets, when nothing scales")
    takes = {"linear", "dualQuaternion", "corrected"}
    for frame in measured["perFrame"]:
        check_equal(set(frame), takes | {"frame", "time", "target"}, "keys of a frame")
    check_equal((set(measured["worst"]), set(measured["flippedFaces"])), (takes, takes), "takes")
    for key in takes:
        check_near(measured["worst"][key], get_worst(measured, key), 1e-11, f"worst {key}")
    check(all(type(n) is int and n >= 0 for n in measured["flippedFaces"].values()), "flips")
    crossed = measured["selfIntersections"]
    check_equal(set(crossed), takes | {"rest"}, "takes that cross")
    check(all(type(n) is int and n >= 0 for n in crossed.values()), "crossings")
    names = run_json("info", path)["jointNames"]
    joints = measured["joints"]
    keys = {"name", "loss", "frame", "displacement", "inside", "beside", "spilled"}
    check(joints and all(set(j) == keys and j["name"] in names for j in joints),
          f"joints: {joints[:3]}")
    sizes = [abs(j["loss"]) for j in joints]
    check(sizes == sorted(sizes, reverse=True) and sizes[-1] > 0, f"not ranked: {joints}")
    # In one frame, the losses sum to what the skinning took; contact would add to them.
    for number in (3, 7):
        one = run_json("measure", path, "--fps", 4, "--frames", f"{number}:{number}", "--contact",
                       "off")
        check_near(sum(j["loss"] for j in one["joints"]), one["worst"]["linear"], 2e-6,
                   f"sum of the losses in frame {number}")
    plain, corrected = (bake_pc2(path, "--fps", 4, *more) for more in (["--volume", "none"], []))
    farthest = max(math.dist(a[i:i + 3], b[i:i + 3]) for a, b in zip(plain, corrected)
                   for i in range(0, len(a), 3))
    diagonal = get_diagonal(Gltf(path).read_skin_positions())
    check_near(measured["peakDisplacement"], farthest / diagonal, 1e-6, "peak displacement")


@case()
def measure_tells_of_the_target():
    """A line when it is not the bind volume, a warning when that is far and nothing scales."""
    def grow(document, nodes=None, **change):
        document.pop("animations")
        for number in nodes or document["skins"][0]["joints"][-1:]:
            node = document["nodes"][number]
            for key, factors in change.items():
                old = node.get(key, [1, 1, 1] if key == "scale" else [0, 0, 0])
                node[key] = [a * b for a, b in zip(old, factors)]

    def measure(name, **change):
        path = edit_gltf(model("cylinder"), lambda document: grow(document, **change), cli.WORK / name)
        out, err = run("measure", path)
        return out, err, run_json("measure", path)["targetScale"]

    out, err, scale = measure("as_it_is.glb")
    check("volume to keep  " not in out and err == "", out + err)
    out, err, scale = measure("longer.glb", translation=[1.5, 1.5, 1.5])
    check(scale["max"] > 1.05 and re.search(r"^volume to keep +[\d.]+ to [\d.]+ % of the bind volume$",
                                             out, re.M), out)
    check_one_line(err, f"turgor: {cli.WORK / 'longer.glb'}: warning: the volume to keep is ")
    check("% of the bind volume in frame 0, and nothing in the file scales" in err, err)
    out, err, scale = measure("larger.glb", scale=[1.5, 1.5, 1.5])
    check(scale["max"] > 1.05 and "volume to keep  " in out, out)
    check("nothing in the file scales" not in err, err)


@case()
def measure_shows_gain():
    path = model("arm")
    file = write_settings({"volume": {"joints": {"forearm": {"profile": "muscle", "gain": 1.5}}}})
    out, _ = run("measure", path, "--fps", 4, "--settings", file)
    check(re.search(r"^ +-\S+ .*  forearm  \(gain 1\.5\)$", out, re.M), out)
    joints = run_json("measure", path, "--fps", 4, "--settings", file)["joints"]
    check_equal({j["name"]: j["gain"] for j in joints if "gain" in j}, {"forearm": 1.5}, "gains")


@case()
def flipped_faces():
    """A tube folded far over itself flips faces, a straight one none, and a turned one none."""
    def count(*turns):
        animated = edit_gltf(model("cylinder"), lambda document: turn_nodes(document, *turns),
                             cli.WORK / "turned.glb")
        return run_json("measure", animated)["flippedFaces"]

    def turn_nodes(document, *turns):
        document.pop("animations")
        for joint, degrees in zip(document["skins"][0]["joints"], turns):
            half = math.radians(degrees) / 2
            document["nodes"][joint]["rotation"] = [0, 0, math.sin(half), math.cos(half)]

    none = {"linear": 0, "dualQuaternion": 0, "corrected": 0}
    for turns in ((0, 0), (90, 0), (180, 0), (0, 40), (123, 20)):
        check_equal(count(*turns), none, f"faces flipped by turns of {turns}")
    folded = count(0, 150)
    check(folded["linear"] > 0 and folded["dualQuaternion"] > 0, f"folded over: {folded}")


@case()
def max_error():
    path, plot = model("arm"), cli.WORK / "error.svg"
    arguments = ["measure", path, "--fps", 10]
    run(*arguments, "--max-error", 1e-6)
    worst = run_json(*arguments, "--volume", "none")["worst"]
    for key, skinning in (("linear", "linear"), ("dualQuaternion", "dual-quaternion")):
        plain = [*arguments, "--volume", "none", "--skinning", skinning, "--max-error"]
        run(*plain, abs(worst[key]) * 1.001)
        out, err = run(*plain, abs(worst[key]) * 0.999, status=1)
        check_one_line(err, f"turgor: {path}: frame ")
        check("worst" in out, "there is no table")
    out, err = run(*plain, 0.001, "--plot", plot, "--json", status=1)
    told = json.loads(out)
    errors = [f["dualQuaternion"] / f["target"] - 1 for f in told["perFrame"]]
    frame = max(range(len(errors)), key=lambda i: abs(errors[i]))
    check_equal(err, f"turgor: {path}: frame {frame} misses its volume by {errors[frame]:.3g}, "
                     f"wanted at most 0.001\n", "standard error")
    check_svg(plot)
    run(*arguments, "--max-error", 0, status=1)


if __name__ == "__main__":
    cli.main()
