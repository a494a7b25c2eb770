# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Presets and settings files, from outside: test_cli_settings.py PROGRAM ASSETS_DIR"""

import math
import re

import cli_helper as cli
from cli_helper import (PRESETS, case, check, check_equal, check_one_line, model, run, run_failing, run_json,
                        write_settings)
from cli_readers import Gltf, bake_pc2, read_obj, read_pc2


def move_by(preset, path, frame, *options):
    """How far a preset moves each vertex from where organic has it."""
    frames = []
    for name in ("organic", preset):
        run("pose", path, "--frame", frame, "--preset", name, "-o", cli.WORK / "preset.obj", *options)
        positions, _ = read_obj(cli.WORK / "preset.obj")
        frames.append([positions[i:i + 3] for i in range(0, len(positions), 3)])
    return [math.dist(a, b) for a, b in zip(*frames)]


@case()
def presets_choose_joints():
    suited = run_json("info", model("human"))["presets"]
    check_equal(suited["belly"], ["spine1", "spine2"], "joints for a belly")
    check_equal(sorted(suited["muscle"]), sorted(name + side for name in ("elbow", "wrist", "knee")
                                                 for side in (".L", ".R")), "joints for muscles")
    for name in ("elephant", "cat"):
        suited = run_json("info", model(name))["presets"]
        check_equal(suited["belly"], ["spine1", "spine2", "spine3"], f"joints for the {name}'s belly")
        words = ("ear", "tail", "trunk", "head", "neck", "hip", "shoulder", "spine", "jaw")
        check(suited["muscle"] and not [joint for joint in suited["muscle"]
                                        if joint.startswith(words)], suited)
    text, _ = run("info", model("arm"))
    check("muscle suits      forearm, hand\n" in text and "belly" not in text, text)
    # A warning where it finds none; what a settings file says of a joint stays.
    _, err = run("pose", model("arm"), "--frame", 20, "--preset", "belly", "-o", cli.WORK / "preset.obj")
    check("warning: no joint suits --preset belly" in err, err)
    file = write_settings('{"volume": {"joints": {"forearm": {"profile": "organic"}, '
                          '"hand": {"profile": "organic"}}}}')
    moved = move_by("muscle", model("arm"), 20, "--settings", file)
    check_equal(max(moved), 0, "joints that the file names")


@case()
def a_biceps_appears():
    """On the upper arm, on its inner side, and not on the elbow's tip."""
    rest = Gltf(model("arm")).read_skin_positions()
    moved = move_by("muscle", model("arm"), 25)
    x, y, _ = rest[3 * moved.index(max(moved)):][:3]
    check(0.12 < x < 0.25 and y > 0.03, f"most at x = {x}, y = {y}")
    check(max(moved) > 0.005, f"moved by {max(moved)}")
    tip = [m for m, i in zip(moved, range(0, len(rest), 3)) if rest[i] > 0.27 and rest[i + 1] < -0.02]
    check(max(tip) < 0.5 * max(moved), f"the elbow's tip moved by {max(tip)}")


@case("belly", "muscle")
def no_warts(preset):
    """A whole character: what is not trunk or limb stays as organic has it, or nearly."""
    glb = model("human")
    rest = Gltf(glb).read_skin_positions()
    moved = move_by(preset, glb, 60)
    most = max(moved)
    head = [m for m, i in zip(moved, range(0, len(rest), 3)) if rest[i + 1] > 1.5]
    hand = [m for m, i in zip(moved, range(0, len(rest), 3)) if abs(rest[i]) > 0.6]
    check(most > 0.003, f"moved by {most}")
    check(max(head) < 0.1 * most and max(hand) < 0.2 * most, f"{max(head)}, {max(hand)} of {most}")


@case()
def settings_that_went():
    """One warning each, and the same skin as without them."""
    path = model("cylinder")
    options = ["--frames", "30:30"]
    plain = bake_pc2(path, *options, first=30)
    for text, word in (('{"volume": {\n"cap": 0.1}}', "the room of each vertex takes its place"),
                       ('{"volume": {\n"holdFaces": true}}', "crushed skin"),
                       ('{"volume": {"mode":\n"together"}}', "without an order of joints")):
        file = write_settings(text)
        _, err = run("bake", path, "-o", cli.WORK / "x.pc2", *options, "--settings", file)
        check_one_line(err, f"turgor: {file}: warning: line 2, column 1: ")
        check(word in err and "is no longer there: " in err, err)
        check_equal(read_pc2(cli.WORK / "x.pc2", first=30)[0], plain[0], f"the skin with {text}")
    for mode in ("sequence", "together"):
        _, err = run("bake", path, "-o", cli.WORK / "x.pc2", *options, "--mode", mode)
        check_one_line(err, f"turgor: {path}: warning: --mode {mode} is no longer there: ")
        check_equal(read_pc2(cli.WORK / "x.pc2", first=30)[0], plain[0], f"the skin with --mode {mode}")


@case()
def preset_precedence():
    """An option before the settings, those before what the character's file says."""
    path = model("arm")
    options = ["--frames", "40:40"]

    def bake(*more):
        return bake_pc2(path, *options, *more, first=40)

    suited = run_json("info", path)["presets"]
    linear, dual = ["--skinning", "linear"], ["--skinning", "dual-quaternion"]
    check_equal(bake(), bake("--preset", "organic", *linear), "the default")
    check_equal(bake("--preset", "rubber"), bake("--preset", "rubber", *linear), "the file's own")
    for preset in PRESETS:
        profile = {"profile": "organic", "drift": 0.8} if preset == "anatomic" else {"profile": preset}
        volume = {"default": profile}
        if preset in suited:
            volume = {"joints": {name: profile for name in suited[preset]}}
        file = write_settings({"volume": volume})
        for skinning in ([], linear, dual):
            check_equal(bake("--settings", file, *skinning), bake("--preset", preset, *skinning),
                        f"{preset} in a file {skinning}")
    file = write_settings({"skinning": "dual-quaternion", "volume": {"mode": "paper"}})
    check_equal(bake("--settings", file, "--preset", "rubber"),
                bake("--preset", "rubber", *dual, "--mode", "paper"), "the settings before the glTF")
    for own in (linear, ["--skinning", "auto"]):
        check_equal(bake("--settings", file, "--preset", "rubber", *own, "--mode", "exact"),
                    bake("--preset", "rubber"), "options before the settings")
    check(bake() != bake("--preset", "muscle"), "presets make no difference")
    file = write_settings({"volume": {"joints": {"forearm": {"profile": "muscle"}}}})
    own = bake("--settings", file, "--preset", "rubber")
    check(own != bake("--preset", "rubber"), "the file's joint gave way to the preset")
    check(own != bake("--preset", "muscle"), "the preset is not for the other joints")


SETTINGS_ERRORS = [  # text, line, column, a word of the message
    ('{"turgor": 2}', 1, 12, "turgor"), ("{", 1, 2, ""), ("", 1, 1, ""), ("[]", 1, 1, "object"),
    ('{\n  "volumes": {}\n}', 2, 3, "volume"),
    ('{\n "volume": {"joints": {\n  "bone7": {"profile": "rubber"}}}}', 3, 3, "bone7"),
    ('{"volume": {"default": {"profile": "rubber",\n  "sigma": -1}}}', 2, 12, "-1"),
    ('{"volume": {"default": {"profile": "gum"}}}', 1, 36, "gum"),
    ('{"volume": {"contact": {"gap": -1}}}', 1, 32, "0"), ('{"skinning": "cubic"}', 1, 14, "linear"),
    ('{"volume": {"target": [{"time": 1, "scale": 1}, {"time": 0, "scale": 1}]}}', 1, None, "time"),
    ('{"volume": {"default": {"profile": "curves", "curves": [[[1, 0], [0, 1]], [], []]}}}', 1,
     None, ""), ('{"volume": {"mode": NaN}}', 1, 21, ""), ('{"volume": {"method": "locl"}}', 1, 23,
                                                          "local"),
    ('{"volume": {"local": {\n "bones": {"bone1": ["bone0",\n  "bone9"]}}}}', 3, 3, "bone9"),
    ('{"flesh": [{}]}', 1, 12, "driver"),
]


@case()
def settings_errors():
    path = model("cylinder")
    for text, line, column, word in SETTINGS_ERRORS:
        file = write_settings(text)
        for command in (["bake", path, "-o", cli.WORK / "x.pc2"], ["measure", path],
                        ["pose", path, "-o", cli.WORK / "x.obj", "--frame", 0]):
            err = run_failing(file, *command, "--settings", file)
            place = re.match(rf"turgor: {re.escape(str(file))}: line (\d+), column (\d+): ", err)
            check(place, f"{text!r}: it said {err!r}")
            check_equal(int(place[1]), line, f"{text!r}: line")
            check(column in (None, int(place[2])), f"{text!r}: column {place[2]}, not {column}")
            check(word in err, f"{text!r}: it said {err!r}, without {word!r}")
    for missing in (cli.WORK / "missing.json", cli.WORK):
        run_failing(missing, "measure", path, "--settings", missing)


@case()
def settings_warnings():
    path = model("cylinder")
    file = write_settings('{"volume": {"default":\n {"profile": "rubber", "mu": [0, 2, 0]}}}')
    _, err = run("measure", path, "--settings", file, "--frames", "0:1")
    check_one_line(err, f"turgor: {file}: warning: line 2, column ")
    normal = write_settings({"volume": {"default": {"profile": "rubber", "mu": [0, 1, 0]}}})
    plain = bake_pc2(path, "--settings", normal)
    file = write_settings({"volume": {"default": {"profile": "rubber", "mu": [0, 2, 0]}}})
    check_equal(bake_pc2(path, "--settings", file), plain, "mu scaled to 1")


@case()
def settings_of_the_manual():
    """Those of docs/settings.md either fit any character or name joints of another, which is told."""
    manual = (cli.REPOSITORY / "docs/settings.md").read_text()
    examples = re.findall(r"^```json\n(.*?)^```", manual, re.M | re.S)
    check(len(examples) >= 2, "the manual has no examples")
    for text in examples:
        arguments = ("measure", model("cylinder"), "--settings", write_settings(text))
        if '"auto"' in text or '"contact"' in text:
            run(*arguments)
            continue
        err = run_failing(write_settings(text), *arguments)
        check("joint" in err, f"it said {err!r}")


if __name__ == "__main__":
    cli.main()
