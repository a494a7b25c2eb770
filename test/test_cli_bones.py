# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Bones of the settings from outside: test_cli_bones.py PROGRAM ASSETS_DIR"""

import json
import math

import cli_helper as cli
from cli_helper import asset, case, check, check_equal, run, run_failing, run_json
from cli_readers import read_pc2


def hand():
    """The embedded hand and its bones as files."""
    skin, bones = cli.WORK / "hand.glb", cli.WORK / "hand_bones.glb"
    if not skin.exists():
        run("model", "hand", "-o", skin, "--vertices", 3000, "--bones", bones)
    return skin, bones


def settings(name, value):
    path = cli.WORK / f"{name}.json"
    path.write_text(json.dumps(value))
    return path


def bake(name, character, *options):
    path = cli.WORK / f"{name}.pc2"
    _, err = run("bake", character, "-o", path, "--skinning", "linear", *options)
    return read_pc2(path), err


def get_largest_move(a, b):
    return max(math.dist(a[i:i + 3], b[i:i + 3]) for i in range(0, len(a), 3))


def move_over(frames, plain):
    return [get_largest_move(a, b) for a, b in zip(frames, plain)]


@case()
def bones_of_a_file_show_in_a_fist():
    skin, bones = hand()
    plain, _ = bake("plain", skin, "--volume", "none")
    by_name = settings("by_name", {"bones": [{"mesh": bones.name}]})
    boned, err = bake("boned", skin, "--volume", "none", "--settings", by_name)
    check_equal(err, "", "standard error")
    moves = move_over(boned, plain)
    check_equal(moves[0], 0.0, "the move at rest")
    check(0.0003 < max(moves) < 0.02, f"the largest move is {max(moves)}")
    # One joint alone moves less skin, and no other.
    one = settings("one", {"bones": [{"mesh": bones.name, "joint": "index_proximal"}]})
    alone, _ = bake("alone", skin, "--volume", "none", "--settings", one)
    count = [sum(a[i:i + 3] != b[i:i + 3] for a, b in zip(frames, plain)
                 for i in range(0, len(a), 3)) for frames in (boned, alone)]
    check(0 < count[1] < count[0], f"vertices moved: {count}")


@case()
def volume_is_kept_over_bones():
    skin, bones = hand()
    path = settings("kept", {"bones": [{"mesh": str(bones)}]})
    for options in ([], ["--volume", "exact", "--preset", "rubber"], ["--mode", "paper"]):
        found = run_json("measure", skin, "--settings", path, *options)
        check(abs(found["worst"]["corrected"]) <= 1e-6,
              f"{options}: the volume is off by {found['worst']['corrected']}")


@case()
def bones_leave_the_bind_pose_alone():
    """The elephant's ears are thinner than their bones; its first frame is the bind pose."""
    auto = settings("still", {"bones": "auto"})
    ways = (["--volume", "none"], ["--preset", "rubber"])
    for options in ways:
        frames = [bake(f"still{len(extra)}", cli.model("elephant"), "--frames", "0:1", *options, *extra)[0]
                  for extra in ([], ["--settings", auto])]
        check_equal(frames[1][0], frames[0][0], f"the bind pose with {options}")


@case()
def paper_mode_keeps_bones_and_volume():
    skin, bones = hand()
    path = settings("paper", {"bones": [{"mesh": str(bones)}], "volume": {"mode": "paper"}})
    found = run_json("measure", skin, "--settings", path)
    check(abs(found["worst"]["corrected"]) <= 1e-6, f"off by {found['worst']['corrected']}")


@case()
def automatic_bones():
    path = settings("auto", {"bones": "auto"})
    character = cli.model("arm")
    frames, err = bake("arm_auto", character, "--volume", "none", "--settings", path)
    check_equal(err, "", "standard error")
    plain, _ = bake("arm_plain", character, "--volume", "none")
    moves = move_over(frames, plain)
    check(all(math.isfinite(x) for frame in frames for x in frame), "a number is not finite")
    check(max(moves) < 0.2, f"the largest move is {max(moves)}")
    found = run_json("measure", character, "--settings", path)
    check(abs(found["worst"]["corrected"]) <= 1e-6, "the volume is off")


@case()
def real_hand():
    character = asset("hand_bones.glb")
    own = settings("real", {"bones": [{"mesh": str(character), "thickness": 0.002}]})
    frames, err = bake("real", character, "--volume", "none", "--settings", own)
    check_equal(err, "", "standard error")
    from_obj = settings("real_obj", {"bones": [{"mesh": str(asset("hand_bones.obj")),
                                                "thickness": 0.002}]})
    again, _ = bake("real_obj", character, "--volume", "none", "--settings", from_obj)
    # The text has six digits behind the point.
    check(max(move_over(again, frames)) < 2e-4, "bones of .obj and .glb differ")


TETRAHEDRON = "v 0 0 0\nv 0 0.02 0\nv 0 0 0.02\nv 0.02 0 0\n"


@case()
def open_and_inverted_bones_are_told():
    skin, _ = hand()
    inverted = "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n"
    (cli.WORK / "bad.obj").write_text(f"o wrist\n{TETRAHEDRON}{inverted}")
    path = settings("bad", {"bones": [{"mesh": "bad.obj"}]})
    out, err = run("pose", skin, "-o", cli.WORK / "bad.glb", "--frame", 0, "--settings", path)
    check("warning: the bone of joint wrist has 4 faces inside out; turned" in err, err)
    (cli.WORK / "open.obj").write_text(f"o wrist\n{TETRAHEDRON}f 3 2 1\nf 2 4 1\n")
    path = settings("open", {"bones": [{"mesh": "open.obj"}]})
    _, err = run("pose", skin, "-o", cli.WORK / "open.glb", "--frame", 0, "--settings", path)
    check("warning: the bone of joint wrist is open" in err, err)


@case()
def mistakes_in_words():
    skin, bones = hand()
    (cli.WORK / "empty.obj").write_text("# nothing\n")
    cases = [
        ([{"mesh": "none.obj"}], 'line 1, column 21: "none.obj": cannot open'),
        ([{"mesh": "empty.obj"}], '"empty.obj": '),
        ([{"mesh": bones.name, "joint": "wrst"}], 'the character has no joint "wrst"'),
        ([{"mesh": bones.name, "joint": "forearm"}], "has no object called like the joint"),
        ("maybe", '"bones" is "maybe", expected "auto" or a list'),
    ]
    for value, words in cases:
        path = settings("mistake", {"bones": value})
        err = run_failing(path, "bake", skin, "--settings", path, "-o", cli.WORK / "never.glb")
        check(words in err, f"{words!r} is not in {err!r}")


if __name__ == "__main__":
    cli.main()
