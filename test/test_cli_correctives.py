# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""turgor correctives from outside: test_cli_correctives.py PROGRAM ASSETS_DIR

What it refuses, what it keeps of a mesh's own targets, and how three.js and Blender play what it
writes. Positions and volumes of all characters are judged by test_correctives.c.
"""

import array
import json
import math
import os
import shutil
import struct
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import cli_helper as cli
from cli_helper import (Skipped, asset, case, check, check_equal, check_near, check_one_line, model, run,
                        run_failing, run_json, run_wrong, write_settings)
from cli_readers import Gltf, edit_gltf, get_diagonal, get_volume, read_pc2, write_glb


# ---- bad input -----------------------------------------------------------------------------------


@case()
def wrong_options():
    glb = model("arm")
    for wanted, options in (("-o OUT.glb", []), (".glb or .gltf", ["-o", "x.fbx"]),
                            ("1 or more", ["-o", "x.glb", "--targets", 0]),
                            ("1 or more", ["-o", "x.glb", "--targets", -3]),
                            ("of the diagonal", ["-o", "x.glb", "--max-error", "0"]),
                            ("of the diagonal", ["-o", "x.glb", "--max-error", "5 mm"]),
                            ("of the diagonal", ["-o", "x.glb", "--max-error", "20%"]),
                            ("not both", ["-o", "x.glb", "--targets", 4, "--max-error", "1%"])):
        check(wanted in run_wrong("correctives", glb, *options), f"{options} do not say {wanted}")


@case()
def input_that_has_nothing_to_fit():
    out = cli.WORK / "x.glb"
    still = edit_gltf(model("arm"), lambda json: json.pop("animations"), cli.WORK / "still.glb")
    err = run_failing(still, "correctives", still, "-o", out)
    check("no animation" in err and "--driver" in err, err)
    obj = model("cylinder", ".obj")
    check("no skin" in run_failing(obj, "correctives", obj, "-o", out), "not a word of the skin")
    glb = model("arm")
    err = run_failing(glb, "correctives", glb, "-o", out, "--targets", 1000)
    check("--targets is 1000" in err and "frames" in err, err)
    run_failing(glb, "correctives", glb, "-o", out, "--animation", "nosuch")


@case()
def output_that_is_the_input():
    path = cli.WORK / "own.glb"
    shutil.copy(model("arm"), path)
    check("is the input" in run_failing(path, "correctives", path, "-o", path), "not told")
    check_equal(path.read_bytes(), model("arm").read_bytes(), "the rig")


@case("-o", "--report", "--driver")
def output_that_cannot_be_written(option):
    """It is told before anything is written, and nothing is."""
    paths = {"-o": cli.WORK / "unwritten.glb"}
    paths[option] = cli.WORK / ("nowhere/x.glb" if option == "-o" else "nowhere/x.json")
    if option == "--report":
        paths[option] = cli.WORK / "nowhere/x.html"
    more = [x for pair in paths.items() for x in pair]
    check("folder" in run_failing(paths[option], "correctives", model("arm"), *more), "not a word of the folder")


# ---- what it writes ------------------------------------------------------------------------------


@case()
def threads_do_not_show():
    outputs = []
    for threads in (1, 2, 5):
        out = cli.WORK / f"threads{threads}.glb"
        run("correctives", model("giraffe"), "-o", out, "--threads", threads)
        outputs.append(out.read_bytes())
    check(outputs[0] == outputs[1] == outputs[2], "the number of threads shows")


@case()
def fewer_targets_for_more_error():
    told = [run_json("correctives", model("giraffe"), "-o", cli.WORK / "t.glb", *options)
            for options in (["--max-error", "0.02%"], [], ["--max-error", "0.5%"])]
    check(told[0]["targets"] >= told[1]["targets"] > told[2]["targets"], str(told))
    for found, most in zip(told, (2e-4, 1e-3, 5e-3)):
        check(found["error"] <= most, str(found))
        check(abs(found["volumeError"]) <= 1e-6, str(found))


@case()
def everything_else_stays():
    """Nodes, skins, materials and the accessors of the source are in the file as they were."""
    source, out = model("giraffe"), cli.WORK / "stays.glb"
    run("correctives", source, "-o", out)
    before, after = Gltf(source), Gltf(out)
    for key in ("nodes", "skins", "materials", "scenes", "scene"):
        check_equal(after.json.get(key), before.json.get(key), key)
    for i, accessor in enumerate(before.json["accessors"]):
        check_equal(after.json["accessors"][i], accessor, f"accessor {i}")
        check_equal(after.read(i), before.read(i), f"numbers of accessor {i}")
    check("extensionsUsed" not in after.json, "it needs an extension")
    names = after.json["meshes"][0]["extras"]["targetNames"]
    check_equal(names[:2], ["turgor", "turgor_1"], "names of targets")
    check_equal(len(names), len(after.json["meshes"][0]["primitives"][0]["targets"]), "names")


@case()
def normals_are_left_out():
    full, bare = cli.WORK / "full.glb", cli.WORK / "bare.glb"
    run("correctives", model("arm"), "-o", full)
    run("correctives", model("arm"), "-o", bare, "--no-normals")
    for path, has in ((full, True), (bare, False)):
        for target in Gltf(path).json["meshes"][0]["primitives"][0]["targets"]:
            check_equal("NORMAL" in target, has, f"normals of a target in {path.name}")


@case()
def driver_needs_no_animation():
    still = edit_gltf(model("arm"), lambda json: json.pop("animations"), cli.WORK / "still_driven.glb")
    numbers, out = cli.WORK / "driver.json", cli.WORK / "driven.glb"
    run("correctives", still, "--driver", numbers, "-o", out)
    driver = json.loads(numbers.read_text())
    names = Gltf(out).json["meshes"][0]["extras"]["targetNames"]
    check_equal(names, [driver["constant"], *driver["targets"]], "names of targets")
    check("animations" not in Gltf(out).json, "an animation came from nowhere")
    for element in driver["elements"]:
        width = 3 * len(element["joints"])
        check_equal([len(center) for center in element["centers"]], [width] * len(element["centers"]), "centres")
        check_equal([len(row) for row in element["coefficients"]],
                    [len(element["centers"])] * element["targetCount"], "coefficients")
    for options in (["--targets", 4], ["--report", "x.html"]):
        run_wrong("correctives", still, "--driver", numbers, "-o", out, *options)


def name_joints(name):
    """An edit that gives every joint of a skin the name that `name` makes of its number."""

    def edit(json):
        for skin in json["skins"]:
            for i, joint in enumerate(skin["joints"]):
                json["nodes"][joint]["name"] = name(i)

    return edit


@case()
def driver_tells_joints_of_one_name_apart():
    """The viewer's scene is another one than the character's where skin is refined; what joints are
    called there changes no number."""
    settings = write_settings({"refine": {}})
    told = []
    for name in (lambda i: f"joint_{i}", lambda i: "Leg"):
        path = edit_gltf(model("arm"), name_joints(name), cli.WORK / "named.glb")
        told.append(run_json("correctives", path, "--settings", settings, "--driver", cli.WORK / "named.json",
                             "-o", cli.WORK / "named_driven.glb"))
    for key in ("targets", "elements", "rmsOfPlain", "volumeOfPlain"):
        check_equal(told[1][key], told[0][key], key)
    check(told[0]["rmsOfPlain"] < 0.7 and told[0]["volumeOfPlain"] < 0.2, str(told[0]))


@case()
def driver_names_every_target():
    """Whatever joints are called: names of targets are all different, and cut between letters."""
    accents = "a" + 40 * "\u00e9"  # byte 60 is inside of a letter
    for name in (lambda i: f"{accents}{i}", lambda i: f"{i}{accents}", lambda i: "Leg",
                 lambda i: ("Leg", "Leg#0", "Leg", "Leg+Leg", "Leg+Leg#2", "#")[i % 6]):
        path = edit_gltf(model("arm"), name_joints(name), cli.WORK / "worded.glb")
        numbers, out = cli.WORK / "worded.json", cli.WORK / "worded_driven.glb"
        told = run_json("correctives", path, "--driver", numbers, "-o", out)
        driver = json.loads(numbers.read_text())
        names = driver["targets"]
        check_equal(len(names), told["targets"], "names")
        check_equal(len(set(names)), len(names), f"different names of {name(0)}")
        check_equal(Gltf(out).json["meshes"][0]["extras"]["targetNames"], ["turgor", *names], "names in the file")
        check_equal([joint["name"] for joint in driver["joints"]], [name(i) for i in range(1, 6)], "joints")
        for element in driver["elements"]:
            words = names[element["firstTarget"]][len("turgor_"):-len("_1")]
            for joint in element["joints"]:
                start = driver["joints"][joint]["name"].encode()[:60].decode(errors="ignore")
                check(start in words, f"{words!r} does not begin with {start!r}")


@case()
def driver_wants_joints_with_parents():
    def make_roots(json):
        for node in json["nodes"]:
            node.pop("children", None)
        json["scenes"][0]["nodes"] = list(range(len(json["nodes"])))

    roots = edit_gltf(model("arm"), make_roots, cli.WORK / "roots.glb")
    out = cli.WORK / "roots_driven.glb"
    err = run_failing(roots, "correctives", roots, "--driver", cli.WORK / "roots.json", "-o", out)
    check("no joint has a parent" in err and "without --driver" in err, err)
    run("correctives", roots, "-o", out)  # as it says
    out.unlink()  # joints without a common root are an error of the file that came in


def shrink_turns(path, part, target):
    """The character with all turns of its clips so much smaller."""
    gltf = Gltf(path)
    binary = bytearray(gltf.binary)
    for animation in gltf.json["animations"]:
        for channel in animation["channels"]:
            accessor = gltf.json["accessors"][animation["samplers"][channel["sampler"]]["output"]]
            view = gltf.json["bufferViews"][accessor["bufferView"]]
            start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            for i in range(accessor["count"] if channel["target"]["path"] == "rotation" else 0):
                x, y, z, _ = struct.unpack_from("<4f", binary, start + 16 * i)
                x, y, z = part * x, part * y, part * z
                struct.pack_into("<4f", binary, start + 16 * i, x, y, z, math.sqrt(1 - x * x - y * y - z * z))
    return write_glb(target, gltf.json, bytes(binary))


@case()
def driver_worse_than_none_is_told():
    """Where the clips hardly bend, what targets of the widened range miss is more than plain skinning
    does."""
    calm = shrink_turns(model("cylinder"), 0.03, cli.WORK / "calm.glb")
    for path, is_worse in ((calm, True), (model("cylinder"), False)):
        out, err = run("correctives", path, "--driver", cli.WORK / "calm.json", "-o",
                       cli.WORK / "calm_driven.glb", "--json")
        told = json.loads(out)
        check_equal(max(told["rmsOfPlain"], told["volumeOfPlain"]) >= 1, is_worse, "worse than plain")
        if is_worse:
            check_one_line(err, f"turgor: {path}: warning: ")
            check("plain skinning" in err and "without --driver" in err, err)
        else:
            check_equal(err, "", "standard error")


@case()
def report_tells_what_targets_give():
    page = cli.WORK / "correctives.html"
    told = run_json("correctives", model("arm"), "-o", cli.WORK / "reported.glb", "--report", page)
    root = ElementTree.fromstring(page.read_text())
    words = " ".join(root.itertext())
    for word in ("Error over time", "Volume over time", "The targets", f"{told['bytes'] / 1e6:.2f} MB"):
        check(word in words, f"the page does not say {word!r}")
    check_equal(len(root.findall(".//{http://www.w3.org/2000/svg}svg")), 2, "plots")
    check(len(root.findall(".//{http://www.w3.org/1999/xhtml}img")) >= 1, "no picture of a target")
    run_wrong("correctives", model("arm"), "-o", "x.glb", "--report", "x.pdf")


# ---- a mesh with targets of its own --------------------------------------------------------------


def add_own_target(path, interpolation, target):
    """The arm with one morph target, and a track of its weight that the interpolation tells."""
    gltf = Gltf(path)
    count = gltf.json["accessors"][gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["count"]
    times, values = [0.0, 0.7, 1.9, 2.6], [0.0, 0.8, 0.3, 0.5]
    rows = [[x] for x in values]
    if interpolation == "CUBICSPLINE":
        rows = [[0.5 - x, x, 0.4 * x - 0.1] for x in values]
    numbers = [x for row in rows for x in row]
    offsets = [0.02 * math.sin(i) for i in range(3 * count)]

    def edit(json):
        start = len(gltf.binary)
        for data, kind, bounds in ((offsets, "VEC3", True), (times, "SCALAR", True), (numbers, "SCALAR", False)):
            width = Gltf.WIDTHS[kind]
            view = {"buffer": 0, "byteOffset": len(gltf.binary), "byteLength": 4 * len(data)}
            gltf.binary += struct.pack(f"<{len(data)}f", *data)
            accessor = {"bufferView": len(json["bufferViews"]), "componentType": 5126,
                        "count": len(data) // width, "type": kind}
            if bounds:
                stored = struct.unpack(f"<{len(data)}f", struct.pack(f"<{len(data)}f", *data))
                accessor["min"] = [min(stored[k::width]) for k in range(width)]
                accessor["max"] = [max(stored[k::width]) for k in range(width)]
            json["bufferViews"].append(view)
            json["accessors"].append(accessor)
        json["buffers"][0]["byteLength"] += len(gltf.binary) - start
        last = len(json["accessors"])
        mesh = json["meshes"][0]
        mesh["primitives"][0]["targets"] = [{"POSITION": last - 3}]
        mesh["weights"] = [0.25]
        mesh["extras"] = {"targetNames": ["smile"], "keep": 7}
        node = next(i for i, n in enumerate(json["nodes"]) if "skin" in n)
        animation = json["animations"][0]
        animation["samplers"].append({"input": last - 2, "output": last - 1, "interpolation": interpolation})
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1,
                                      "target": {"node": node, "path": "weights"}})

    edit(gltf.json)
    return write_glb(target, gltf.json, gltf.binary)


def sample_weight(gltf, target, time):
    """The weight of one target at a time, as glTF says."""
    animation = gltf.json["animations"][0]
    channel = next(c for c in animation["channels"] if c["target"]["path"] == "weights")
    sampler = animation["samplers"][channel["sampler"]]
    times, numbers = gltf.read(sampler["input"]), gltf.read(sampler["output"])
    cubic = sampler.get("interpolation") == "CUBICSPLINE"
    width = len(numbers) // len(times) // (3 if cubic else 1)

    def get(k, row):
        return numbers[(k * 3 + row if cubic else k) * width + target]

    k = max((i for i, t in enumerate(times) if t <= time), default=-1)
    if k < 0 or k == len(times) - 1:
        return get(max(k, 0), 1)
    span = times[k + 1] - times[k]
    t = (time - times[k]) / span
    if sampler.get("interpolation") == "STEP":
        return get(k, 0)
    if not cubic:
        return get(k, 0) + t * (get(k + 1, 0) - get(k, 0))
    return ((2 * t**3 - 3 * t**2 + 1) * get(k, 1) + span * (t**3 - 2 * t**2 + t) * get(k, 2)
            + (3 * t**2 - 2 * t**3) * get(k + 1, 1) + span * (t**3 - t**2) * get(k + 1, 0))


@case("LINEAR", "STEP", "CUBICSPLINE")
def own_targets_play_on(interpolation):
    source = add_own_target(model("arm"), interpolation, cli.WORK / f"own_{interpolation}.glb")
    out = cli.WORK / f"own_{interpolation}_out.glb"
    told = run_json("correctives", source, "-o", out)
    before, after = Gltf(source), Gltf(out)
    mesh = after.json["meshes"][0]
    check_equal(mesh["extras"]["targetNames"][:2], ["smile", "turgor"], "names")
    check_equal(mesh["extras"]["keep"], 7, "extras")
    check_equal(mesh["weights"][0], 0.25, "the weight when nothing plays")
    check_equal(len(mesh["primitives"][0]["targets"]), told["targets"] + 2, "targets")
    check_equal(after.read(mesh["primitives"][0]["targets"][0]["POSITION"]),
                before.read(before.json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"]), "offsets")
    for i in range(300):
        time = 0.01 * i + 0.00037
        check_near(sample_weight(after, 0, time), sample_weight(before, 0, time), 2e-6,
                   f"the weight at {time} s")
        check_near(sample_weight(after, 1, time), 1.0, 1e-6, "the constant target's weight")
    check(told["error"] <= 1e-3 and abs(told["volumeError"]) <= 1e-5, str(told))


# ---- other programs ------------------------------------------------------------------------------


def read_floats(path):
    return array.array("f", Path(path).read_bytes())


def play_ourselves(path, times):
    """By the evaluation of test_correctives.c, which is built beside the program."""
    tool = Path(cli.PROGRAM).parent / "test/test_correctives"
    if not tool.exists():
        raise Skipped("test_correctives is not built")
    result = subprocess.run([str(tool), "play", str(path), "0", *map(str, times)], capture_output=True)
    check(result.returncode == 0, result.stderr.decode()[-500:])
    return array.array("f", result.stdout)


def play_three(path, times):
    out = cli.WORK / "three.f32"
    environment = dict(os.environ)
    paths = [str(cli.REPOSITORY / "build/tools/node_modules"), environment.get("NODE_PATH")]
    environment["NODE_PATH"] = ":".join(filter(None, paths))
    command = ["node", str(cli.REPOSITORY / "scripts/play_three.mjs"), str(path), "0", str(out), *map(str, times)]
    try:
        result = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240)
    except FileNotFoundError:
        raise Skipped("node is not installed") from None
    if result.returncode == 2:
        raise Skipped(f"three.js does not play it: {result.stderr.strip()}")
    check(result.returncode == 0, result.stderr[-2000:])
    return read_floats(out)


def get_worst(found, wanted):
    check_equal(len(found), len(wanted), "numbers")
    return max(math.dist(found[i:i + 3], wanted[i:i + 3]) for i in range(0, len(found), 3))


def get_baked(path, frames):
    out = cli.WORK / "truth.pc2"
    run("bake", path, "-o", out)
    all_frames = read_pc2(out)
    return [x for f in frames for x in all_frames[f]]


@case("CesiumMan.glb", "Fox.glb", "human_makehuman.glb")
def three_plays_what_we_do(name):
    source, out = asset(name), cli.WORK / f"three_{name}"
    run("correctives", source, "-o", out)
    times = [0.0, 0.21, 0.5, 0.95, 1.3, 1.9] if name == "CesiumMan.glb" else [0.21, 0.5]
    diagonal = get_diagonal(Gltf(source).read_skin_positions())
    worst = get_worst(play_three(out, times), play_ourselves(out, times)) / diagonal
    print(f"         {name}: three.js is within {worst:.1e} of the diagonal")
    check(worst <= 1e-4, f"three.js is off by {worst:.1e} of the diagonal")


@case("CesiumMan.glb", "human_makehuman.glb")
def three_plays_compressed_files(name):
    source, out = asset(name), cli.WORK / f"packed_{name}"
    run("correctives", source, "--compress", "-o", out)
    check("EXT_meshopt_compression" in Gltf(out).json["extensionsRequired"], "the extension is not named")
    frames = [0, 7, 20, 33, 45, 60] if name == "CesiumMan.glb" else [7, 60]
    diagonal = get_diagonal(Gltf(source).read_skin_positions())
    played, truth = play_three(out, [f / 30 for f in frames]), get_baked(source, frames)
    worst = get_worst(played, truth) / diagonal
    triangles = Gltf(source).read_skin_triangles()
    print(f"         {name}: compressed it is within {100 * worst:.4f} % of the bake")
    check(worst <= 1e-3, f"compressed it is off by {worst:.1e} of the diagonal")
    size = len(truth) // len(frames)
    for i in range(len(frames)):
        volumes = [get_volume(x[i * size:(i + 1) * size], triangles) for x in (played, truth)]
        check_near(volumes[0] / volumes[1], 1.0, 1e-5, f"volume of frame {frames[i]}")


@case("CesiumMan.glb", "human_makehuman.glb")
def blender_plays_what_we_bake(name):
    blender = shutil.which("blender")
    if blender is None:
        raise Skipped("Blender is not installed")
    source, out = asset(name), cli.WORK / f"blender_{name}"
    run("correctives", source, "-o", out)
    frames = list(range(0, 60, 6))
    played = cli.WORK / "blender.f32"
    command = [blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python",
               str(cli.REPOSITORY / "scripts/play_blender.py"), "--", str(out), str(played), "30",
               *map(str, frames)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if "No module named 'numpy'" in result.stdout + result.stderr:
        raise Skipped("Blender's importer wants numpy, which is not installed")
    check(result.returncode == 0, result.stdout[-1500:] + result.stderr[-1500:])
    diagonal = get_diagonal(Gltf(source).read_skin_positions())
    worst = get_worst(read_floats(played), array.array("f", get_baked(source, frames))) / diagonal
    print(f"         {name}: Blender is within {100 * worst:.4f} % of the bake")
    check(worst <= 1.5e-3, f"Blender is off by {worst:.1e} of the diagonal")


@case()
def validator_finds_no_error():
    for path in cli.list_assets():
        if path.name in ("arnaud.fbx", "hand_generic_right.glb") or path.suffix == ".obj":
            continue  # without an animation
        if path.name == "human_makehuman_53k.glb":
            continue  # the same as the smaller one
        run("correctives", path, "-o", cli.WORK / f"valid_{path.stem}_{path.suffix[1:]}.glb", "--fps", 5)
    cli.validate_written(8)


if __name__ == "__main__":
    cli.main()
