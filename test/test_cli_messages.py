# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""What the program says, from outside: test_cli_messages.py PROGRAM ASSETS_DIR

Names that are not there and the one that comes nearest, files that hold something else than was
wanted, counts of one, and numbers as one writes them.
"""

import base64
import math
import re
import resource
import struct

import cli_helper as cli
from cli_helper import case, check, check_equal, check_near, model, run, run_failing, run_json, run_wrong
from cli_readers import Gltf, edit_gltf

BVH = """HIERARCHY
ROOT hips
{
OFFSET 0 1 0
CHANNELS 3 Zrotation Xrotation Yrotation
JOINT knee
{
OFFSET 0 -0.5 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 -0.5 0
}
}
}
MOTION
Frames: 4
Frame Time: 0.5
""" + "".join(f"0 0 0 {30 * f} 0 0\n" for f in range(4))


@case()
def info_of_motion():
    path = cli.WORK / "walk.bvh"
    path.write_text(BVH)
    out, err = run("info", path)
    check_equal(err, "", "standard error")
    for words in ("joints            2, and no mesh", "1.500 s, 4 frames"):
        check(words in out, out)
    check("vertices" not in out, out)
    info = run_json("info", path)
    check_equal((info["joints"], info["vertices"], info["closed"]), (2, 0, False), "motion alone")
    check_equal([(a["end"], a["keys"]) for a in info["animations"]], [(1.5, 4)], "its animation")
    still = cli.WORK / "still.bvh"
    still.write_text(BVH.split("MOTION")[0] + "MOTION\nFrames: 1\nFrame Time: 0.5\n0 0 0 0 0 0\n")
    check("0.000 s, 1 frame\n" in run("info", still)[0], "one frame is told as several")


@case()
def mesh_in_place_of_a_skeleton():
    obj, out = model("arm", ".obj"), cli.WORK / "never.glb"
    for mesh in (obj, model("arm")):
        err = run_failing(obj, "bind", mesh, "-o", out, "--skeleton", obj)
        check("the file has no joints, expected a skeleton: a .glb" in err, err)


@case()
def nearest_verb_and_option():
    for wanted, arguments in (
            ("there is no verb rendr, perhaps render; see turgor --help", ["rendr"]),
            ("there is no verb fold; see turgor --help", ["fold"]),
            ("bake has no option --setings, perhaps --settings; see", ["bake", "--setings=x"]),
            ("pose has no option --framed, perhaps --frame; see", ["pose", "--framed", "3"]),
            ("--compare-settings wants two values (FILE.json FILE.json), found only a.json",
             ["render", "x.glb", "--compare-settings", "a.json", "--frame", "60"]),
            ("--compare-settings wants two values (FILE.json FILE.json), found --frame",
             ["render", "x.glb", "--compare-settings", "--frame", "60"]),
            ("info has no option -q; see turgor info --help", ["info", "-q"])):
        err = run_wrong(*arguments)
        check(wanted in err, err)


def read_points(path):
    with open(path) as file:
        return [tuple(map(float, line.split()[1:4])) for line in file if line.startswith("v ")]


@case()
def a_joint_that_is_left_alone():
    """What the knee lost goes to the trunk; the hind leg stays as skinning left it."""
    path, settings = model("elephant"), cli.WORK / "left_alone.json"
    settings.write_text('{"turgor": 1, "volume": {"joints": {"knee.L": null}}}')
    turns = ["--contact", "off", "--rotate", "knee.L=1,0,0,90", "--rotate", "trunk3=1,0,0,60"]
    points = []
    for name, more in ("plain", ["--volume", "none"]), ("kept", ["--settings", settings]):
        run("pose", path, "-o", cli.WORK / f"{name}.obj", *turns, *more)
        points.append(read_points(cli.WORK / f"{name}.obj"))
    moved = [(math.dist(a, b), a) for a, b in zip(*points)]
    leg = [way for way, (_, y, z) in moved if y < 1.2 and z < 0.0]
    check(len(leg) > 500 and max(leg) < 1e-6, f"the leg moved by {max(leg)}")
    check(max(moved)[0] > 0.01, f"the trunk moved by {max(moved)[0]} only")


@case()
def settings_without_end():
    """A file that never ends is let go at once."""
    err = run_failing("/dev/zero", "measure", model("arm"), "--settings", "/dev/zero")
    check("longer than 16777216 bytes, expected no more" in err, err)


@case()
def nearest_animation():
    path = model("elephant")
    name = run_json("info", path)["animations"][0]["name"]
    wrong = name[:-1] + "X"
    err = run_failing(path, "measure", path, "--animation", wrong)
    check(f"there is no animation {wrong}, perhaps {name}" in err, err)
    err = run_failing(path, "measure", path, "--animation", "nothing like it")
    check("see turgor info" in err, err)


@case("pose", "render")
def time_outside_the_animation(verb):
    path, out = model("cylinder"), cli.WORK / ("outside.obj" if verb == "pose" else "outside.png")
    clip = run_json("info", path)["animations"][0]
    start, end = clip["start"], clip["end"]
    # It ends where its last key is, not at the frame after it.
    for fps in (30, 0.7):
        for moment, told in ((-1, "begins"), (end + 1, "ends"), (start, None), (end, None),
                             (float(f"{end:g}"), None), (end + 0.01, "ends")):
            _, err = run(verb, path, "-o", out, "--time", moment, "--fps", fps)
            warning = f"turgor: {path}: warning: time {moment:g} s is outside the animation, which " \
                      f"goes from {start:g} to {end:g} s; the joints are where it {told}\n"
            check_equal(err, warning if told else "", f"what is said at {moment} s")


@case()
def joints_with_such_names():
    """The file calls others joint_5 and joint_5_ itself, and what only looks alike takes nothing."""
    given = {0: "joint_5", 1: "joint_5__", 2: "joint_5_", 3: "joint_06", 4: "joint_7x", 9: "joint_8_"}

    def rename(document):
        for place, joint in enumerate(document["skins"][0]["joints"]):
            document["nodes"][joint].pop("name")
            if place in given:
                document["nodes"][joint]["name"] = given[place]

    joints = run_json("info", edit_gltf(model("elephant"), rename, cli.WORK / "alike.glb"))["jointNames"]
    check_equal(joints[5:9], ["joint_5___", "joint_6", "joint_7", "joint_8"], "those without a name")


@case()
def crowd_of_joints_without_names():
    """One that is called like them does not make all of them be looked through for each."""
    def add(name):
        def crowd(document):
            first, count = len(document["nodes"]), 30000
            document["nodes"] += [{} for _ in range(count)]
            document["nodes"][first]["name"] = name
            document["nodes"][0].setdefault("children", []).extend(range(first, first + count))
            document["skins"][0]["joints"] += range(first, first + count)
            document["skins"][0].pop("inverseBindMatrices")

        return edit_gltf(model("arm"), crowd, cli.WORK / f"crowd_{name}.glb")

    def seconds(path):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        check_equal(len(run_json("info", path)["jointNames"]) > 30000, True, "many joints")
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    plain, alike = seconds(add("knee")), seconds(add("joint_99999"))
    check(alike < 8 * plain + 0.2, f"{plain:.2f} s, with a name like theirs {alike:.2f} s")


@case()
def joints_without_names():
    def forget(document):
        for joint in document["skins"][0]["joints"]:
            document["nodes"][joint].pop("name")
        document["nodes"][document["skins"][0]["joints"][0]]["name"] = "joint_2"

    path = edit_gltf(model("elephant"), forget, cli.WORK / "nameless.glb")
    joints = run_json("info", path)["jointNames"]
    check_equal(joints[:4], ["joint_2", "joint_1", "joint_2_", "joint_3"], "the first of them")
    check_equal(len(set(joints)), len(joints), "all different")
    text, _ = run("info", path)
    check(f"{len(joints) - 1} joints, called joint_1 and so on" in text, text)
    own = run_json("info", model("elephant"))["jointNames"]
    knee = own.index("knee.L")
    out = cli.WORK / "nameless.obj"
    run("pose", model("elephant"), "-o", out, "--rotate", "knee.L=1,0,0,60")
    named = out.read_bytes()
    settings = cli.WORK / "nameless.json"
    settings.write_text('{"volume": {"joints": {"joint_%d": null}}}' % knee)
    run("pose", path, "-o", out, "--rotate", f"joint_{knee}=1,0,0,60")
    check_equal(out.read_bytes(), named, "turned by number")
    run("pose", path, "-o", out, "--rotate", f"joint_{knee}=1,0,0,60", "--settings", settings)
    check(out.read_bytes() != named, "the settings find no joint")
    told = [joint["name"] for joint in run_json("measure", path, "--frames", "0:20")["joints"]]
    check(told and set(told) <= set(joints), f"measure tells {told}")
    text, _ = run("measure", path, "--frames", "0:20")
    lines = text.split(" moved  joint\n")[1].split("\n\n")[0].splitlines()
    check_equal(lines[0].split()[-1], told[0], "the first one in the text")


@case("pose", "render", "render --cut", "render --show gamma")
def nearest_joint(how):
    path, out = model("arm"), cli.WORK / "never.png"
    options = {"pose": ["pose", path, "-o", cli.WORK / "never.obj", "--rotate", "foreram=0,0,1,30"],
               "render": ["render", path, "-o", out, "--rotate", "foreram=0,0,1,30"],
               "render --cut": ["render", path, "-o", out, "--cut", "foreram"],
               "render --show gamma": ["render", path, "-o", out, "--show", "gamma", "--joint", "foreram"]}
    err = run_failing(path, *options[how])
    check("there is no joint foreram, perhaps forearm" in err, err)


@case(("--preset", "organik", "organic"), ("--mode", "papr", "paper"), ("--volume", "exat", "exact"),
      ("--skinning", "dual-quaternions", "dual-quaternion"), ("--contact", "onn", "on"),
      ("--show", "gama", "gamma"), ("--view", "fornt", "front"), ("--color", "orang", "orange"),
      ("--background", "transparant", "transparent"), ("--plane", "acros", "across"))
def nearest_value(words):
    option, wrong, right = words
    more = ["--cut", "forearm"] if option == "--plane" else []
    err = run_wrong("render", model("arm"), "-o", cli.WORK / "never.png", *more, option, wrong)
    check(wrong in err and f", perhaps {right}" in err, err)
    if option == "--color":  # which does not take what backgrounds do
        err = run_wrong("render", model("arm"), "-o", cli.WORK / "never.png", option, "transparnt")
        check("perhaps" not in err, err)
    err = run_wrong("render", model("arm"), "-o", cli.WORK / "never.png", *more, option, "nothing like it")
    check("wanted" in err or "wants" in err, err)
    check("perhaps" not in err, err)


@case()
def nearest_model_and_figure():
    err = run_failing("elefant", "model", "elefant", "-o", cli.WORK / "never.glb")
    check(err.endswith(", perhaps elephant\n"), err)
    err = run_failing("arm", "model", "arm", "-o", cli.WORK / "never.glb", "--vertices", -5)
    check("perhaps" not in err, err)
    err = run_wrong("paper", "-o", cli.WORK / "never", "--only", "2008-figur-10")
    check(", perhaps 2008-figure-10;" in err, err)
    text, _ = run("model", "arm", "-o", cli.WORK / "mesh.obj")
    check("joint" not in text, text)


@case(math.nan, math.inf, 0.0)
def bad_inverse_bind_matrix(number):
    """The matrix of the second joint: one number, or all of them, is not what it should be."""
    gltf = Gltf(model("arm"))
    accessor = gltf.json["accessors"][gltf.json["skins"][0]["inverseBindMatrices"]]
    view = gltf.json["bufferViews"][accessor["bufferView"]]
    data = bytearray(model("arm").read_bytes())
    at = len(data) - len(gltf.binary) + view.get("byteOffset", 0) + accessor.get("byteOffset", 0) + 64
    for i in range(1 if number else 16):
        struct.pack_into("<f", data, at + 4 * i, number)
    path = cli.WORK / f"bind_{number}.glb"
    path.write_bytes(data)
    err = run_failing(path, "info", path)
    wanted = "flattens space" if number == 0 else "a NaN or an infinity, expected finite numbers"
    check(wanted in err, err)


@case()
def one_of_each():
    path, out = model("arm"), cli.WORK / "one.glb"
    text, _ = run("bake", path, "-o", out, "--frames", "3:3")
    check(": 1 frame of " in text, text)
    text, _ = run("render", path, "--animate", cli.WORK / "one.gif", "--frames", "3:3", "--size",
                  "64x64")
    check(": 1 frame, " in text, text)
    skeleton = cli.WORK / "one.json"
    skeleton.write_text('{"joints": [{"name": "a", "position": [0.1, 0, 0]}]}')
    text, _ = run("bind", path, "-o", out, "--skeleton", skeleton, "--voxels", 16)
    check(" follow 1 joint, by " in text, text)


@case()
def frames_without_an_animation():
    path = edit_gltf(model("arm"), lambda document: document.pop("animations"), cli.WORK / "still.glb")
    out = cli.WORK / "never.obj"
    err = run_failing(path, "pose", path, "-o", out, "--frame", 7)
    check("frame 7 is not there: without an animation there is frame 0 alone" in err, err)
    err = run_failing(path, "measure", path, "--frames", "0:7")
    check("frames 0:7 are not there: without an animation there is frame 0 alone" in err, err)


@case("measure", "render", "bake", "bind")
def mesh_alone(verb):
    """turgor rig gives it joints."""
    path, ending = model("arm", ".obj"), "png" if verb == "render" else "glb"
    err = run_failing(path, verb, path, *([] if verb == "measure" else ["-o", cli.WORK / f"never.{ending}"]))
    check("turgor rig " in err and ("turgor bind " in err or "--skeleton FILE" in err), err)


@case("bake", "correctives", "measure", "render", "pose")
def which_animations(verb):
    """All of them where a verb can do that, and then its help says so."""
    line = next(line for line in run(verb, "--help")[0].splitlines() if line.startswith("  --animation "))
    check_equal("|all " in line, verb in ("bake", "correctives"), f"all in {line}")
    check("default all" in line if verb == "correctives" else "default the first" in line, line)


@case("measure", "render", "bake")
def motion_alone(verb):
    path = cli.WORK / "alone.bvh"
    path.write_text("HIERARCHY\nROOT hips\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                    "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n")
    options = [] if verb == "measure" else ["-o", cli.WORK / ("never.png" if verb == "render" else "never.glb")]
    err = run_failing(path, verb, path, *options)
    check("there is no mesh, only 1 joint; turgor bind gives a mesh joints" in err, err)


@case()
def animation_that_is_too_long():
    """One line, also where it is the second of several."""
    def lengthen(document):  # a sampler of two keys, 100 s apart
        times = base64.b64encode(struct.pack("<2f", 0, 100)).decode()
        document["buffers"].append({"byteLength": 8, "uri": f"data:application/octet-stream;base64,{times}"})
        document["bufferViews"].append({"buffer": 1, "byteLength": 8})
        first = document["animations"][0]
        values = {**document["accessors"][first["samplers"][0]["output"]], "count": 2}
        document["accessors"] += [{"bufferView": len(document["bufferViews"]) - 1, "componentType": 5126,
                                   "count": 2, "type": "SCALAR", "min": [0], "max": [100]}, values]
        last = len(document["accessors"]) - 1
        channel = next(c for c in first["channels"] if c["sampler"] == 0)
        document["animations"].append({"channels": [channel], "samplers": [{"input": last - 1, "output": last}]})

    path = edit_gltf(model("arm"), lengthen, cli.WORK / "long.glb")
    err = run_failing(path, "bake", path, "-o", cli.WORK / "never.glb", "--animation", "all", "--fps", 99999)
    check("wanted at most 1000000" in err, err)


@case()
def plane_without_cut():
    err = run_wrong("render", model("arm"), "-o", cli.WORK / "never.png", "--plane", "across")
    check("--plane goes with --cut JOINT" in err, err)


@case()
def displacement_of_a_character_that_stands_larger():
    def grow(gltf):
        nodes = gltf["nodes"]
        below = {child for node in nodes for child in node.get("children", [])}
        roots = [i for i in range(len(nodes)) if i not in below]
        nodes.append({"name": "above", "children": roots, "scale": [20, 20, 20]})
        gltf["scenes"][0]["nodes"] = [len(nodes) - 1]

    path = edit_gltf(model("arm"), grow, cli.WORK / "grown.glb")
    small, large = (run_json("measure", p)["peakDisplacement"] for p in (model("arm"), path))
    check(small > 0.001, f"nothing moved: {small}")
    check_near(large / small, 1.0, 1e-3, "peak displacement at 20 times the size")


@case()
def volume_without_a_place():
    settings = cli.WORK / "shrink.json"
    settings.write_text('{"volume": {"target": [{"time": 0, "scale": 0.01}]}}')
    text, _ = run("pose", model("elephant"), "--frame", 3, "-o", cli.WORK / "small.obj",
                  "--settings", settings)
    told = text.splitlines()
    off = float(re.search(r"within (\S+) of its target", told[0])[1])
    check(len(told) > 1 or off < 1e-4, text)
    check(len(told) == 1 or told[1].endswith(" % of it found no place") and "e+" not in told[1], text)


if __name__ == "__main__":
    cli.main()
