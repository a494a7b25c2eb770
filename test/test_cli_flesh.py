# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Flesh from outside: test_cli_flesh.py PROGRAM ASSETS_DIR"""

import json
import math

import cli_helper as cli
from cli_helper import asset, case, check, check_equal, model, run, run_failing, run_json, write_settings
from cli_readers import Gltf, read_pc2

# A joint that bends to and fro is shaken flesh enough.
ARM = {"flesh": [{"name": "upper", "driver": "upper_arm", "driven": "forearm"},
                 {"name": "lower", "driver": "forearm", "driven": ["hand"], "frequency": 4,
                  "dampingRatio": 0.1, "gravity": [0, -9.81, 0]}]}


def bake(path, *options):
    target = cli.WORK / f"flesh{len(options)}.pc2"
    run("bake", path, "-o", target, *options)
    first = str(options[options.index("--frames") + 1]) if "--frames" in options else "0:"
    return read_pc2(target, int(first.split(":")[0]))


def farthest(a, b):
    return max(math.dist(a[i:i + 3], b[i:i + 3]) for i in range(0, len(a), 3))


@case()
def flesh_moves_the_skin():
    path, file = model("arm"), write_settings(json.dumps(ARM))
    shaken = bake(path, "--settings", file, "--volume", "none")
    plain = bake(path, "--volume", "none")
    check_equal(len(shaken), len(plain), "frames")
    moved = max(farthest(a, b) for a, b in zip(shaken, plain))
    check(0.001 < moved < 0.1, f"flesh moved by {moved}")


@case("none", "exact")
def a_range_has_the_same_bits(volume):
    path, file = model("arm"), write_settings(json.dumps(ARM))
    options = ["--settings", file, "--volume", volume]
    whole = bake(path, *options)
    part = bake(path, *options, "--frames", "25:40")
    check_equal(part, whole[25:41], "frames 25 to 40")
    target = cli.WORK / "one.pc2"
    run("pose", path, "-o", target, *options, "--frame", 33)
    check_equal(read_pc2(target)[0], whole[33], "frame 33")


@case(1, 2, 5)
def threads_do_not_show(threads):
    path, file = model("elephant"), write_settings('{"flesh": "auto"}')
    options = ["--settings", file, "--volume", "none", "--frames", "0:20"]
    check_equal(bake(path, *options, "--threads", threads), bake(path, *options), "frames")


@case()
def loops_have_no_seam():
    # The animation ends where it begins. Once round from rest, the flesh does not.
    path, file = model("arm"), write_settings(json.dumps(ARM))
    options = ["--settings", file, "--volume", "none"]
    once, round_ = bake(path, *options), bake(path, *options, "--loop")
    plain = bake(path, "--volume", "none")
    check(farthest(plain[0], plain[-1]) < 1e-6, "the animation itself does not loop")
    check(farthest(round_[0], round_[-1]) < 2e-6, f"seam {farthest(round_[0], round_[-1])}")
    check(farthest(round_[0], once[0]) > 1e-6, "there was nothing to come round from")
    part = bake(path, *options, "--loop", "--frames", "25:40")
    check_equal(part, round_[25:41], "frames 25 to 40 of the loop")


@case()
def a_loop_that_rings_is_told():
    path = model("arm")
    file = write_settings('{"flesh": [{"driver": "forearm", "driven": "hand", "dampingRatio": 0}]}')
    out, err = run("bake", path, "-o", cli.WORK / "ring.pc2", "--settings", file, "--loop",
                   "--volume", "none")
    check("does not repeat yet" in err and "damping" in err, f"it said {err!r}")


@case("arm", "elephant", "giraffe")
def volume_is_kept(name):
    path = model(name)
    told = run_json("measure", path, "--preset", "flesh")
    check(abs(told["worst"]["corrected"]) < 1e-6, f"worst {told['worst']}")


@case("human_makehuman.glb", "Yeti.glb", "Fox.glb", "CesiumMan.glb")
def volume_is_kept_elsewhere(name):
    told = run_json("bake", asset(name), "-o", cli.WORK / "x.pc2", "--preset", "flesh", "--frames",
                    "0:40")
    check(abs(told["worst"]) < 1e-6, f"worst {told['worst']}")


@case()
def examples_load():
    examples = cli.REPOSITORY / "examples"
    for path, file, count in ((model("elephant"), "flesh_elephant.json", 4),
                              (model("cat"), "flesh_cat.json", 1),
                              (asset("human_makehuman.glb"), "flesh_human.json", 4)):
        out, err = run("bake", path, "-o", cli.WORK / "x.pc2", "--settings", examples / file,
                       "--frames", "0:10")
        check_equal(err, "", "standard error")
        names = [element["name"] for element in json.loads((examples / file).read_text())["flesh"]]
        check_equal(len(names), count, "elements")
        check("flesh shakes on " + ", ".join(names) in out, f"it said {out!r}")


@case(0, 1)
def the_cat_keeps_its_volume(animation):
    told = run_json("measure", model("cat"), "--settings", cli.REPOSITORY / "examples/flesh_cat.json",
                    "--animation", animation)
    check(abs(told["worst"]["corrected"]) < 1e-6, f"worst {told['worst']}")


@case("sit", "walk")
def the_human_shakes_where_it_is_selected(animation):
    """Four elements by the names of the model's groups; nothing else moves."""
    names = [part + side for part in ("buttock", "thigh") for side in (".L", ".R")]
    driven = {"buttock": ("pelvis", "seat"), "thigh": ("hip", "knee")}
    elements = []
    for name in names:
        part, side = name.split(".")
        driver, end = driven[part]
        elements.append({"name": name, "driver": driver if driver == "pelvis" else f"{driver}.{side}",
                         "driven": f"{end}.{side}", "joints": f"hip.{side}", "vertices": name})
    path, file = model("human"), write_settings(json.dumps({"flesh": elements}))
    options = ["--volume", "none", "--animation", animation]
    shaken, plain = bake(path, "--settings", file, *options), bake(path, *options)
    groups = [Gltf(path).read(p["attributes"]["_" + name]) if "_" + name in p["attributes"] else
              [0] * Gltf(path).json["accessors"][p["attributes"]["POSITION"]]["count"]
              for name in names for _, p in Gltf(path).get_parts(lambda node: "skin" in node)]
    parts = len(groups) // len(names)
    marked = [[x for group in groups[i * parts:(i + 1) * parts] for x in group]
              for i in range(len(names))]
    chosen = [any(values) for values in zip(*marked)]
    moved = [max(math.dist(a[3 * v:3 * v + 3], b[3 * v:3 * v + 3]) for a, b in zip(shaken, plain))
             for v in range(len(chosen))]
    check(0.002 < max(moved) < 0.1, f"flesh moved by {max(moved)}")
    check_equal([v for v, m in enumerate(moved) if m > 0 and not chosen[v]], [], "others that moved")
    for name, values in zip(names, marked):
        part = max(m for m, x in zip(moved, values) if x)
        check(part > 0.001, f"{name} moved by {part}")


@case()
def the_mushroom_keeps_its_volume():
    file = write_settings('{"flesh": [{"driver": "base", "driven": "top", "joints": "top"}]}')
    told = run_json("measure", model("mushroom"), "--settings", file)
    check(abs(told["worst"]["corrected"]) < 1e-6, f"worst {told['worst']}")


@case()
def pictures_show_flesh():
    path = model("arm")
    options = ["--frame", 20, "--show", "flesh", "--preset", "flesh"]
    for more in ([], ["--joint", "upper_arm"], ["--volume", "none", "--arrows", 2]):
        target = cli.WORK / "flesh.png"
        run("render", path, "-o", target, *options, *more)
        check(target.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n", "no picture")


@case()
def bad_flesh():
    path = model("arm")
    cases = [('{"flesh": [{"driver": "thumb_tip"}]}', None, "has no children"),
             ('{"flesh": [{"driver": "hand", "driven": "forearm"}]}', None, "no descendant"),
             ('{"flesh": [{"driver": "hand", "vertices": [0]}]}', path, "lies beside"),
             ('{"flesh": [{"driver": "hand", "frequency": 0}]}', None, "more than 0")]
    for text, file, words in cases:
        settings = write_settings(text)
        err = run_failing(file or settings, "bake", path, "-o", cli.WORK / "x.pc2", "--settings",
                          settings)
        check(words in err, f"{words!r} is not in {err!r}")


@case()
def every_character_takes_the_preset():
    for path in cli.list_assets():
        if not cli.needs_assimp(path) and run_json("info", path)["joints"] > 0:
            run("pose", path, "-o", cli.WORK / "x.pc2", "--time", 0, "--preset", "flesh")


@case()
def nothing_to_shake_is_told():
    out, err = run("bake", model("cylinder"), "-o", cli.WORK / "x.pc2", "--preset", "flesh")
    check("no belly, thigh or upper arm" in err, f"it said {err!r}")


if __name__ == "__main__":
    cli.main()
