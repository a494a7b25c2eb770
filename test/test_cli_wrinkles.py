# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Wrinkles from outside: test_cli_wrinkles.py PROGRAM ASSETS_DIR"""

import json
import math

import cli_helper as cli
from cli_helper import asset, case, check, check_equal, model, run, write_settings
from cli_readers import read_pc2

FINE = {"levels": 2, "threshold": 0.2, "smooth": True}


def bake(path, content, *options):
    target = cli.WORK / "wrinkled.pc2"
    _, err = run("bake", path, "-o", target, "--settings", write_settings(json.dumps(content)),
                 *options)
    return read_pc2(target, int(str(options[options.index("--frames") + 1]).split(":")[0])), err


def farthest(a, b):
    return max(math.dist(a[i:i + 3], b[i:i + 3]) for i in range(0, len(a), 3))


@case("none", "exact", "local")
def they_show_and_go(volume):
    """Nothing where the arm is straight, waves where it bends, the same bits on any threads."""
    path = model("arm")
    elbow = {"wrinkles": [{"joint": "forearm", "count": 5}], "refine": FINE}
    options = ["--volume", volume, "--frames", "0:24"]
    plain, _ = bake(path, {"refine": FINE}, *options)
    waved, err = bake(path, elbow, *options, "--threads", 1)
    check_equal(err, "", "warnings")
    check_equal(waved[0], plain[0], "the first frame, which is the bind pose")
    check(0.002 < farthest(waved[24], plain[24]) < 0.05, farthest(waved[24], plain[24]))
    again, _ = bake(path, elbow, *options, "--threads", 5)
    check_equal(again, waved, "frames on other threads")
    if volume == "exact":
        file = write_settings(json.dumps(elbow))
        run("measure", path, "--settings", file, "--frames", "0:24", "--max-error", "1e-6")


@case()
def too_coarse_is_told():
    many = {"wrinkles": [{"joint": "bone1", "count": 60}]}
    _, err = bake(model("cylinder"), many, "--frames", "0:1")
    check("vertices a wave, wanted 4" in err, err)


@case("CesiumMan.glb", "human_makehuman.glb", "Fox.glb", "Trex.fbx")
def any_character(name):
    """By themselves, on whatever there is; the volume is kept to the same promise."""
    fine = {"wrinkles": "auto", "refine": {"smooth": True}}
    file = write_settings(json.dumps(fine))
    run("measure", asset(name), "--settings", file, "--frames", "0:4", "--max-error", "1e-6")


if __name__ == "__main__":
    cli.main()
