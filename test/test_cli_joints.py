# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Joints from outside, found, seen and judged: test_cli_joints.py PROGRAM ASSETS_DIR"""

import json
import math
import os
import re
import signal
import time
from pathlib import Path

import cli_helper as cli
from png_picture import Picture
from cli_helper import (asset, case, check, check_equal, check_near, model, new_folder, run, run_failing,
                        run_json, run_wrong, write_settings)
from cli_readers import pose_pc2, read_pc2

SMALL = ("--size", "320x240")


def get_joints(path, *options):
    return {joint["name"]: joint for joint in run_json("info", path, *options)["skeleton"]}


def subtract(a, b):
    return [x - y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def turn(v, axis, degrees):
    """Rodrigues."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    along = sum(x * y for x, y in zip(axis, v))
    return [c * x + s * y + (1 - c) * along * a for x, y, a in zip(v, cross(axis, v), axis)]


# ---- the tree ------------------------------------------------------------------------------------


@case()
def tree_of_joints():
    """Indented by depth, in the order of a walk from the top; numbers as in the JSON."""
    out, _ = run("info", model("elephant"))
    info = run_json("info", model("elephant"))
    skeleton = info["skeleton"]
    check_equal([joint["name"] for joint in skeleton], info["jointNames"], "the names")
    lines = [line for line in out.splitlines() if re.match(r" {4,}\S+ +\d+ +\d+ +[-\d]", line)]
    check_equal(len(lines), info["joints"], "lines of the tree")
    indents = {line.split()[0]: len(line) - len(line.lstrip()) for line in lines}
    words = {line.split()[0]: line.split()[1:] for line in lines}
    at = {line.split()[0]: i for i, line in enumerate(lines)}
    for joint in skeleton:
        parent = skeleton[joint["parent"]] if joint["parent"] is not None else None
        step = indents[joint["name"]] - indents[parent["name"]] if parent else 1
        check(step == 1 and (not parent or at[parent["name"]] < at[joint["name"]]), joint["name"])
        check_near(float(words[joint["name"]][0]), joint["bend"], 0.51, f"bend of {joint['name']}")
        check_equal(words[joint["name"]][-1], joint.get("preset", "-"), f"profile of {joint['name']}")
        if parent and "radius" in joint:
            check_near(joint["length"], math.dist(joint["position"], parent["position"]), 1e-5,
                       f"bone before {joint['name']}")


@case()
def joints_of_a_cylinder():
    """All is known: two bones along x, radius 1, bent by 90 degrees."""
    bone0, bone1 = get_joints(model("cylinder")).values()
    check_equal((bone0["parent"], bone1["parent"]), (None, 0), "the parents")
    check_near(bone1["radius"], 1, 0.03, "the radius")
    check_near(bone1["bend"], 90, 0.01, "the bend")
    check_near(bone1["twist"], 0, 0.01, "the twist")
    check("radius" not in bone0 and "aptness" not in bone0, "no skin bends with the root")
    check(0 < bone1["aptness"] <= 1, f"aptness {bone1['aptness']}")
    length = math.dist(bone0["position"], bone1["position"])
    check_near(bone1["length"], length, 1e-6, "the bone's length")


@case("CesiumMan.glb", "Fox.glb", "Yeti.glb", "Q_Rat.glb", "godot_player.glb", "human_makehuman.glb")
def joints_of_assets(name):
    joints = get_joints(asset(name))
    for joint in joints.values():
        check_near(math.hypot(*joint["axis"]), 1, 1e-5, f"length of the axis of {joint['name']}")
        check(0 <= joint["bend"] <= 180.01 and 0 <= joint.get("aptness", 0) <= 1, joint)
    if name == "CesiumMan.glb":  # a walk: knees bend, and they are clean tubes
        check(joints["leg_joint_L_2"]["bend"] > 80 and joints["leg_joint_L_2"]["aptness"] > 0.9, "the knee")
    if name == "godot_player.glb":  # weights are all or nothing
        check_equal({joint.get("aptness", 0) for joint in joints.values()}, {0}, "aptness")


# ---- patterns and mirrors ------------------------------------------------------------------------


@case()
def patterns_in_settings():
    """Patterns and mirrors are the same bytes as the entries written out."""
    muscle = {"profile": "muscle", "center": -0.3}
    short = {"volume": {"joints": {"knee.*": {"profile": "rubber"}, "elbow.L": dict(muscle, mirror=True),
                                   "trunk?": {"profile": "folds"}, "trunk3": {"profile": "rubber"}}}}
    long = {"volume": {"joints": {"knee.L": {"profile": "rubber"}, "knee.R": {"profile": "rubber"},
                                  "elbow.L": muscle, "elbow.R": muscle, "trunk3": {"profile": "rubber"},
                                  **{f"trunk{i}": {"profile": "folds"} for i in (1, 2, 4, 5, 6, 7, 8)}}}}
    frames = [pose_pc2(model("elephant"), "--time", 2, "--settings", write_settings(text))
              for text in (short, long, {})]
    check(frames[0] == frames[1], "written short and long differ")
    check(frames[0] != frames[2], "they change nothing")
    out, _ = run("info", model("elephant"), "--settings", write_settings(short))
    check('"elbow.L" is mirrored to "elbow.R", by name' in out, out)
    check('"knee.*" is for 2 of the joints: knee.L, knee.R' in out, out)
    joints = get_joints(model("elephant"), "--settings", write_settings(short))
    check_equal([joints[name]["preset"] for name in ("elbow.R", "knee.R", "trunk3", "trunk4", "hip.L")],
                ["muscle", "rubber", "rubber", "folds", "organic"], "the profiles")
    path = write_settings({"volume": {"joints": {"kneee*": {}}}})
    check('no joint like "kneee*", perhaps "knee.L"' in
          run_failing(path, "info", model("elephant"), "--settings", path), "the message")


@case()
def names_that_lie():
    """CesiumMan's arms are numbered from both ends: the place tells, and a line says so."""
    path = write_settings({"volume": {"joints": {
        "Skeleton_arm_joint_L__3_": {"profile": "muscle", "mirror": True}}}})
    out, err = run("info", asset("CesiumMan.glb"), "--settings", path)
    check(re.search(r"Skeleton_arm_joint_R__2_ .*muscle", out), out)
    check(err.count("\n") == 1 and "Skeleton_arm_joint_R__2_" in err, err)


@case()
def patterns_in_options():
    path = model("elephant")
    axis = "0,0,1,20"
    one = pose_pc2(path, "--rotate", f"knee.L={axis}", "--rotate", f"knee.R={axis}")
    check(one == pose_pc2(path, "--rotate", f"knee.?={axis}"), "a pattern turns both")
    grids = [Picture(render("a.png", path, "--show", "weights", "--joint", name, *SMALL)).get_grid()
             for name in ("knee.*", "knee.L")]
    check(grids[0] != grids[1], "weights of both are those of one")
    check("no joint like kne.*, perhaps knee.L" in
          run_failing(path, "pose", path, "-o", cli.WORK / "x.obj", "--bend", "kne.*=3"), "the message")
    check("wanted one joint" in
          run_failing(path, "render", path, "-o", cli.WORK / "x.png", "--cut", "knee.*"), "two of them")


# ---- bends ---------------------------------------------------------------------------------------


def pose(path, *options):
    out, _ = run("pose", path, "-o", cli.WORK / "bent.pc2", *options)
    frame, = read_pc2(cli.WORK / "bent.pc2")
    return list(zip(*[iter(frame)] * 3)), out


@case()
def bend_as_the_clip_does():
    """--bend forearm=130 is the arm's own animation where that has bent it by so much."""
    joint = get_joints(model("arm"))["forearm"]
    bent, out = pose(model("arm"), "--bend", "forearm=60", "--volume", "none")
    turned, _ = pose(model("arm"), "--volume", "none", "--rotate",
                     "forearm=" + ",".join(map(repr, joint["axis"])) + ",60")
    check(max(math.dist(a, b) for a, b in zip(bent, turned)) < 1e-6, "the axis is another")
    check("forearm bends about" in out and "as the animations bend it" in out, out)
    rest, _ = pose(model("arm"), "--rotate", "forearm=1,0,0,0", "--volume", "none")
    # The hand's skin goes where the closed form takes it, and that is where the clip takes it, too.
    hand = max(range(len(rest)), key=lambda v: rest[v][0])
    wanted = turn(subtract(rest[hand], joint["position"]), joint["axis"], 60)
    check(math.dist(subtract(bent[hand], joint["position"]), wanted) < 1e-4, "the turn")
    clip, _ = pose(model("arm"), "--time", 1.5, "--volume", "none")
    moved = subtract(clip[hand], rest[hand])
    check(sum(a * b for a, b in zip(moved, subtract(bent[hand], rest[hand]))) > 0, "the other side")


@case("leg_joint_L_2", "leg_joint_R_2")
def knees_bend_backwards(knee):
    """CesiumMan walks: the shin goes back, wherever front is in the bind pose."""
    joints = get_joints(asset("CesiumMan.glb"))
    shin = subtract(joints[knee.replace("_2", "_3")]["position"], joints[knee]["position"])
    foot = subtract(joints[knee.replace("_2", "_5")]["position"], joints[knee.replace("_2", "_3")]["position"])
    bent = turn(shin, joints[knee]["axis"], 60)
    side = sum(a * b for a, b in zip(subtract(bent, shin), foot))
    check(side < 0, f"the shin goes the way that the foot points: {side}")


@case()
def wrong_bends():
    for text in ("forearm", "forearm=", "forearm=1,2", "forearm=nan", "=30x"):
        err = run_wrong("pose", model("arm"), "-o", cli.WORK / "x.obj", "--bend", text)
        check("--bend wants JOINT=DEGREES" in err, err)
    run_wrong("pose", model("arm"), "-o", cli.WORK / "x.obj", "--bend", "forearm=3", "--frame", 1)
    run_wrong("render", model("arm"), "--animate", cli.WORK / "x.gif", "--bend", "forearm=3")


# ---- a joint in focus ----------------------------------------------------------------------------


def render(name, path, *options):
    out = cli.WORK / name
    run("render", path, "-o", out, *options)
    return out


def count_skin(picture):
    """Pixels that are not the white background, over all of them."""
    rows = range(0, picture.height, 2)
    dark = sum(picture.get_brightness(x, y) < 235 for y in rows for x in range(0, picture.width, 2))
    return 4 * dark / (picture.width * picture.height)


@case()
def focus_comes_near():
    """More limb radii, less skin; the same picture whatever is done to the skin."""
    path = model("arm")
    shares = [count_skin(Picture(render(f"f{size}.png", path, "--bend", "forearm=60", "--focus", "forearm",
                                        "--size", size, "--size", "240x240", "--view", "front", "--no-ground")))
              for size in (1.5, 5, 20)]
    check(shares[0] > 1.3 * shares[1] > 1.3 * 3 * shares[2] > 0, f"skin in the pictures: {shares}")
    whole = count_skin(Picture(render("whole.png", path, "--bend", "forearm=60", "--size", "240x240",
                                      "--view", "front", "--no-ground")))
    check(whole < shares[0], "the whole arm is larger than its elbow")
    several = Picture(render("several.png", model("elephant"), "--focus", "trunk*", *SMALL))
    check(count_skin(several) > 0.05, "the trunk is not in the picture")


@case()
def focus_tells_the_loss():
    """Captions are drawn in letters; what they say is told by measure as well, so only look that they differ."""
    path = model("arm")
    plain = Picture(render("c0.png", path, "--frame", 40, "--compare", "--size", "900x300"))
    focused = Picture(render("c1.png", path, "--frame", 40, "--compare", "--size", "900x300", "--focus", "forearm"))
    check_equal((plain.width, focused.width), (900, 900), "the widths")
    label = [sum(p.get_brightness(x, y) < 128 for y in range(280, 300) for x in range(0, 300))
             for p in (plain, focused)]
    check(label[1] > label[0] > 0, f"dark pixels of the first caption: {label}")


@case()
def wrong_focus():
    path, out = model("arm"), cli.WORK / "x.png"
    check("there is no joint foream, perhaps forearm" in
          run_failing(path, "render", path, "-o", out, "--focus", "foream"), "the message")
    check("goes with --focus" in run_wrong("render", path, "-o", out, "--size", "3"), "a number alone")
    for size in ("0", "-1", "1e9"):
        run_wrong("render", path, "-o", out, "--focus", "forearm", "--size", size)
    run_wrong("render", path, "-o", out, "--focus", "forearm", "--frame-all")
    run_wrong("render", path, "-o", out, "--focus", "forearm", "--cut", "forearm")


# ---- aptness and regions -------------------------------------------------------------------------


@case()
def show_aptness():
    """Dark where a clean limb goes round a joint: on the arm up to the wrist, not at the fingers."""
    picture = Picture(render("apt.png", model("arm"), "--show", "aptness", "--size", "640x240", "--view", "front",
                             "--no-ground"))
    arm = [max(picture.get_brightness(x, y) for y in range(105, 130)) for x in range(70, 360, 4)]
    fingers = [min(picture.get_brightness(x, y) for y in range(100, 140)) for x in range(410, 500, 4)]
    check(max(arm) < 60 and min(fingers) > 150, f"palest of the arm {max(arm)}, darkest finger {min(fingers)}")
    own = Picture(render("apt2.png", model("arm"), "--show", "aptness", "--joint", "fingers", "--size", "640x240",
                         "--view", "front", "--no-ground"))
    check(min(own.get_brightness(x, y) for y in range(40, 200) for x in range(0, 500, 4)) > 120,
          "the fingers are no clean limb")


@case()
def regions_in_focus():
    """The legend has the joints that are seen."""
    path = model("elephant")
    counts = []
    for options in ((), ("--focus", "tail3", "--size", 3)):
        picture = Picture(render("r.png", path, "--show", "regions", "--size", "640x480", *options))
        counts.append(sum(any(picture.get_brightness(x, y) < 160 for x in range(600, 640)) for y in range(480)))
    check(0 < counts[1] < 0.5 * counts[0], f"rows of the legends: {counts}")


# ---- two settings --------------------------------------------------------------------------------


def write_two(folder, first, second):
    paths = folder / "first.json", folder / "second.json"
    for path, text in zip(paths, (first, second)):
        path.write_text(json.dumps(text))
    return paths


@case()
def compare_settings():
    with new_folder(f"two_{time.monotonic_ns()}") as folder:
        first, second = write_two(folder, {"volume": {"joints": {"forearm": {"profile": "muscle"}}}},
                                  {"volume": {"joints": {"forearm": {"profile": "muscle", "gain": 3}}}})
        out, err = run("render", model("arm"), "-o", folder / "a.png", "--frame", 40, "--size", "640x240",
                       "--compare-settings", first, second)
        check_equal(err, "", "standard error")
        check(f"forearm gain: unset in {first}, 3 in {second}" in out, out)
        both = Picture(folder / "a.png")
        check_equal((both.width, both.height), (640, 240), "the size")
        half = [[both.get(x + side, y) for y in range(0, 210, 3) for x in range(0, 320, 3)] for side in (0, 320)]
        check(half[0] != half[1], "both sides are alike")
        # The same camera: the same settings twice are the same picture twice.
        out, _ = run("render", model("arm"), "-o", folder / "a.png", "--frame", 40, "--size", "640x240",
                     "--compare-settings", first, first)
        check("say the same" in out, out)
        both = Picture(folder / "a.png")
        half = [[both.get(x + side, y) for y in range(0, 210) for x in range(320)] for side in (0, 320)]
        check(half[0] == half[1], "one file against itself differs")


@case()
def compare_empty():
    """An object or a list with nothing in it is told, and not as nothing."""
    with new_folder(f"two_{time.monotonic_ns()}") as folder:
        for mine, other, wanted in (({}, {"refine": {}}, "refine: unset in {0}, {{}} in {1}"),
                                    ({"refine": {}}, {}, "refine: {{}} in {0}, unset in {1}"),
                                    ({"flesh": []}, {"flesh": "auto"}, "flesh: [] in {0}, auto in {1}"),
                                    ({"refine": {}}, {"refine": {}}, "{0} and {1} say the same"),
                                    ({}, {}, "{0} and {1} say the same")):
            paths = write_two(folder, mine, other)
            out, _ = run("render", model("cylinder"), "-o", folder / "a.png", *SMALL, "--compare-settings", *paths)
            check(wanted.format(*paths) in out, out)


@case()
def compare_refined():
    """Settings that refine have another mesh; both are drawn."""
    with new_folder(f"two_{time.monotonic_ns()}") as folder:
        paths = write_two(folder, {}, {"refine": {"levels": 1}})
        run("render", model("arm"), "-o", folder / "a.png", "--frame", 40, *SMALL, "--show", "displacement",
            "--compare-settings", *paths)
        check(count_skin(Picture(folder / "a.png")) > 0.05, "nothing is drawn")


@case()
def wrong_comparisons():
    with new_folder(f"two_{time.monotonic_ns()}") as folder:
        first, second = write_two(folder, {}, {"volume": {"joints": {"nosuch": {}}}})
        start = ("render", model("arm"), "-o", folder / "a.png", "--compare-settings")
        run_failing(second, *start, first, second)
        check("two values" in run_wrong(*start, first), "one file")
        for more in (("--compare",), ("--settings", first), ("--cut", "forearm"), ("--animate", folder / "a.gif")):
            run_wrong(*start, first, first, *more)
        err = run_failing(first, "render", model("arm"), "-o", first, "--compare-settings", first, first) \
            if str(first).endswith(".png") else ""
        link = folder / "link.png"
        os.symlink(first, link)
        check("is the input" in run(*("render", model("arm"), "-o", link, "--compare-settings", first, second),
                                    status=1)[1], f"an output that is an input {err}")
        check_equal(first.read_text(), "{}", "the settings")


# ---- watching ------------------------------------------------------------------------------------


class Watcher:
    """turgor render --watch, and what it says, in a file."""

    def __init__(self, folder):
        self.folder, self.settings, self.picture = folder, folder / "s.json", folder / "a.png"
        self.settings.write_text("{}")
        self.said = open(folder / "said.txt", "wb")
        self.process = cli.start("render", model("arm"), "-o", self.picture, "--frame", 40, *SMALL, "--settings",
                                 self.settings, "--watch", stdout=self.said, stderr=self.said)

    def read(self):
        return (self.folder / "said.txt").read_text()

    def wait(self, text, count):
        cli.wait_until(lambda: self.read().count(text) >= count, self.process, f"{text} {count} times: {self.read()}")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.said.close()


def write_in_place(path, text):
    path.write_text(text)


def write_and_rename(path, text):
    other = path.with_name("s.json~")
    other.write_text(text)
    os.replace(other, path)


def remove_and_write(path, text):
    path.unlink()
    time.sleep(0.1)
    path.write_text(text)


@case(write_in_place, write_and_rename, remove_and_write)
def watch_settings(write):
    muscle = '{"volume": {"default": {"profile": "muscle", "gain": 3}}}'
    with new_folder(f"watch_{time.monotonic_ns()}") as folder:
        watcher = Watcher(folder)
        try:
            watcher.wait("Ctrl-C ends it", 1)
            before = Path(watcher.picture).read_bytes()
            write(watcher.settings, muscle)
            watcher.wait("pixels", 2)
            check(Path(watcher.picture).read_bytes() != before, "the picture is the same")
            write(watcher.settings, '{"volume": {"defualt": {}}}')  # told, and it goes on
            watcher.wait('"defualt"', 1)
            write(watcher.settings, "{}")
            watcher.wait("pixels", 3)
            check(Path(watcher.picture).read_bytes() == before, "the first picture does not come back")
            watcher.process.send_signal(signal.SIGINT)
            check_equal(watcher.process.wait(timeout=30), 0, "the status after Ctrl-C")
            check_equal(sorted(p.name for p in folder.iterdir()), ["a.png", "s.json", "said.txt"], "what is left")
        finally:
            watcher.close()


@case()
def watch_from_a_mistake():
    """It may begin with settings that are wrong; what is wrong on the command line ends it."""
    with new_folder(f"watch_{time.monotonic_ns()}") as folder:
        watcher = Watcher(folder)
        try:
            watcher.wait("Ctrl-C ends it", 1)
        finally:
            watcher.close()
        bad = folder / "bad.json"
        bad.write_text("{")
        said = open(folder / "said2.txt", "wb")
        process = cli.start("render", model("arm"), "-o", folder / "b.png", *SMALL, "--settings", bad, "--watch",
                            stdout=said, stderr=said)
        try:
            cli.wait_until(lambda: "Ctrl-C ends it" in (folder / "said2.txt").read_text(), process, "a watch")
            bad.write_text("{}")
            cli.wait_until((folder / "b.png").exists, process, "a picture")
            process.send_signal(signal.SIGTERM)
            check_equal(process.wait(timeout=30), 0, "the status")
        finally:
            process.kill()
            said.close()
    check("wanted --settings" in run_wrong("render", model("arm"), "-o", cli.WORK / "x.png", "--watch"), "no file")
    run("render", cli.WORK / "nosuch.glb", "-o", cli.WORK / "x.png", "--watch", "--settings", write_settings({}),
        status=1)


# ---- what settings did ---------------------------------------------------------------------------


@case("linear", "dual-quaternion")
def joints_are_given_back(skinning):
    """What joints lost is given back, inside, beside or spilled; together it is what the frame lacked."""
    measured = run_json("measure", model("arm"), "--fps", 10, "--skinning", skinning)
    for joint in measured["joints"]:
        given = joint["inside"] + joint["beside"] + joint["spilled"]
        check_near(given, -joint["loss"], 1e-5 + 1e-4 * abs(joint["loss"]), f"given to {joint['name']}")
        check(joint["displacement"] <= measured["peakDisplacement"] + 1e-9, joint)
    check_near(max(j["displacement"] for j in measured["joints"]), measured["peakDisplacement"],
               1e-6, "the largest displacement")
    losses = [abs(joint["loss"]) for joint in measured["joints"]]
    check_equal(losses, sorted(losses, reverse=True), "the order")


@case()
def gain_is_given_back():
    gained = run_json("measure", model("arm"), "--fps", 10, "--contact", "off", "--settings",
                      write_settings({"volume": {"joints": {"forearm": {"gain": 2}}}}))
    two = next(j for j in gained["joints"] if j["name"] == "forearm")
    check_near((two["inside"] + two["beside"] + two["spilled"]) / -two["loss"], 2, 0.01, "given over lost, gain 2")


@case()
def lines_of_joints():
    out, _ = run("measure", model("elephant"), "--fps", 2)
    names = set(run_json("info", model("elephant"))["jointNames"])
    told = [line.split() for line in out.splitlines() if line.split() and line.split()[-1] in names]
    check_equal(len(told), 10, "joints that are told")
    check("more; --all-joints tells them" in out, "the others")
    out, _ = run("measure", model("elephant"), "--fps", 2, "--all-joints")
    everyone = [line.split() for line in out.splitlines() if line.split() and line.split()[-1] in names]
    measured = run_json("measure", model("elephant"), "--fps", 2)["joints"]
    check_equal([words[-1] for words in everyone], [joint["name"] for joint in measured], "all of them")
    check_equal(everyone[:10], told, "the first ten")
    check_near(float(told[0][0]), 100 * measured[0]["loss"], 6e-4, "lost")
    check_near(float(told[0][1]), -100 * measured[0]["loss"], 2e-3, "given")


@case()
def muscle_that_dents():
    """arnaud's elbow gains volume: its muscle goes inwards, and a line names gain."""
    path = asset("arnaud.fbx")
    muscle = {"volume": {"joints": {"LeftForeArm": {"profile": "muscle"}}}}
    still = {"volume": {"joints": {"LeftForeArm": {"profile": "muscle", "gain": 0}}}}
    bend = ("--bend", "LeftForeArm=80")
    _, err = run("pose", path, "-o", cli.WORK / "d.obj", *bend, "--settings", write_settings(muscle))
    check('LeftForeArm gains' in err and "muscle dents" in err and '"gain": 0' in err, err)
    for options in (("--settings", write_settings(still)), ()):
        _, err = run("pose", path, "-o", cli.WORK / "d.obj", *bend, *options)
        check("dents" not in err, err)


@case()
def bake_that_dents():
    """The same line as of a measure of every frame, and none where nobody chose a profile."""
    path, muscle = model("cat"), write_settings({"volume": {"default": {"profile": "muscle"}}})
    _, told = run("measure", path, "--every-frame", "--settings", muscle)
    check("gain up to" in told and "dent the skin" in told, told)
    _, err = run("bake", path, "-o", cli.WORK / "dents.pc2", "--settings", muscle)
    check_equal(err, told, "standard error")
    check_equal(run("bake", path, "-o", cli.WORK / "dents.pc2")[1], "", "standard error")


@case()
def preset_replaces_default():
    path = write_settings({"volume": {"default": {"profile": "rubber"}, "joints": {"hand": {"gain": 2}}}})
    _, err = run("pose", model("arm"), "-o", cli.WORK / "p.obj", "--frame", 3, "--settings", path, "--preset", "folds")
    check_equal(err, f'turgor: {path}: warning: --preset folds replaces its "default"; joints with an entry keep '
                     'theirs\n', "standard error")
    path = write_settings({"volume": {"joints": {"hand": {"gain": 2}}}})
    _, err = run("pose", model("arm"), "-o", cli.WORK / "p.obj", "--frame", 3, "--settings", path, "--preset", "folds")
    check_equal(err, "", "standard error without a default")


@case()
def entry_of_an_idle_joint():
    """The root of the arm bends no skin: one line; a pattern that finds one joint that does has none."""
    path = write_settings({"volume": {"joints": {"upper_arm": {"profile": "muscle"}}}})
    _, err = run("pose", model("arm"), "-o", cli.WORK / "p.obj", "--frame", 3, "--settings", path)
    cli.check_one_line(err, f"turgor: {model('arm')}: warning: no skin bends with joint upper_arm, ")
    path = write_settings({"volume": {"joints": {"*arm": {"profile": "muscle"}, "upper_?rm": None}}})
    _, err = run("pose", model("arm"), "-o", cli.WORK / "p.obj", "--frame", 3, "--settings", path)
    check_equal(err, "", "standard error")


@case()
def out_of_reach():
    for entry in ("forearm", "fore*"):
        path = write_settings({"volume": {"joints": {entry: {"profile": "muscle", "center": -40}}}})
        _, err = run("pose", model("arm"), "-o", cli.WORK / "p.obj", "--frame", 3, "--settings", path)
        check(f'reaches no skin of "{entry}"' in err, err)


if __name__ == "__main__":
    cli.main()
