# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Without memory, from outside: test_cli_memory.py PROGRAM ASSETS_DIR FAIL_MALLOC

Every allocation of every verb fails in turn, those of the libraries it uses too. Each run ends with
status 1 and one line that says "out of memory", and leaves nothing behind; or it got along without,
and everything it wrote and said is what it should be. Then every allocation of the process that runs
Assimp, which catches some and would go on with half a scene. TURGOR_MEMORY_STEP=1 tries all of them,
the default as many as take some seconds.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cli_helper as cli
from cli_helper import case, check, check_equal, model, run

MOST_TRIES = 20  # of one verb, unless all are wanted
LONG_TRIES = 8  # of one that takes a second


def fail(place, number, arguments, count=None):
    """Status, standard output, standard error, and the files, of a run whose allocation fails."""
    place.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, LD_PRELOAD=FAIL_MALLOC, TURGOR_FAIL_AT=str(number))
    if count is not None:
        environment["TURGOR_FAIL_COUNT"] = str(count)
    process = subprocess.run([cli.PROGRAM, *map(str, arguments)], cwd=place, env=environment,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    files = {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    shutil.rmtree(place)
    return process.returncode, process.stdout, process.stderr.decode(errors="replace"), files


def choose_numbers(total, tries):
    """The first allocation, and others evenly spaced; or all, every TURGOR_MEMORY_STEP of them."""
    step = int(os.environ.get("TURGOR_MEMORY_STEP", 0))
    if step > 0:
        return range(1, total + 1, step)
    return sorted({1} | {1 + total * (2 * i + 1) // (2 * tries) for i in range(tries)})


def check_numbers(name, total, tries, run_failing_at, whole, words, leaves=False):
    """
    @param run_failing_at gives status, output, errors and files of the run whose allocation of that number fails
    @param whole the same of a run with memory
    @param words one of these is told
    @param leaves what was whole before the failure may stay
    """
    wrong, tried = [], 0
    for number in choose_numbers(total, tries):
        found = run_failing_at(number)
        tried += 1
        told = found[2].count("\n") == 1 and any(word in found[2] for word in words)
        failed = found[0] == 1 and told and (leaves or not found[3])
        same = found[0] == 0 and found[1] == whole[1] and found[3] == whole[3]
        if not failed and not same:
            wrong.append((number, found[0], found[2][:200], sorted(found[3])))
    print(f"{name}: {tried} of {total} allocations failed in turn, {len(wrong)} wrong")
    check(not wrong, f"{len(wrong)} of {tried}: {wrong[:6]}")


def check_verb(name, *arguments, tries=MOST_TRIES, leaves=False):
    place, counter = cli.WORK / f"memory_{name}", cli.WORK / f"memory_{name}.count"
    whole = fail(place, 0, arguments, counter)
    check_equal(whole[0], 0, f"the status of turgor {name} with memory ({whole[2]})")
    check_numbers(name, int(counter.read_text()), tries, lambda number: fail(place, number, arguments), whole,
                  ("out of memory",), leaves)


@case()
def info():
    check_verb("info", "info", model("arm"))
    check_verb("info_json", "info", model("arm"), "--json")


@case("glb", "gltf", "obj", "pc2", "usda")
def bake(ending):
    check_verb(f"bake_{ending}", "bake", model("arm"), "-o", f"out.{ending}", "--frames", "0:2", "--threads", 1)


@case()
def correctives():
    small = ("correctives", model("arm"), "-o", "out.glb", "--fps", 4, "--threads", 1)
    check_verb("correctives", *small, tries=LONG_TRIES)
    check_verb("correctives_packed", *small, "--compress", tries=LONG_TRIES)
    check_verb("correctives_report", *small, "--report", "page.html", tries=LONG_TRIES)
    check_verb("correctives_driver", *small, "--driver", "driver.json", tries=LONG_TRIES)


@case()
def pose():
    check_verb("pose", "pose", model("arm"), "-o", "out.obj", "--rotate", "forearm=0,0,1,60")


@case()
def measure():
    for option in ("--plot=plot.svg", "--report=page.html"):
        check_verb("measure", "measure", model("arm"), "--frames", "0:2", option, "--threads", 1)
    check_verb("measure_json", "measure", model("arm"), "--frames", "0:2", "--json", "--threads", 1)


@case()
def render():
    check_verb("render", "render", model("arm"), "-o", "out.png", "--size", "64x64", "--frame", 2, "--threads", 1)


@case()
def joints():
    paths = [cli.WORK / f"memory_{i}.json" for i in range(2)]
    paths[0].write_text('{"volume": {"joints": {"f*": {"profile": "rubber", "mirror": true}, '
                        '"thumb": {"profile": "muscle"}}}}')
    paths[1].write_text("{}")
    small = ("-o", "out.png", "--size", "64x64", "--threads", 1)
    check_verb("info_settings", "info", model("arm"), "--settings", paths[0])
    check_verb("bend", "render", model("arm"), *small, "--bend", "f*=40", "--focus", "forearm", "--compare")
    check_verb("aptness", "render", model("arm"), *small, "--show", "aptness", "--joint", "f*")
    check_verb("two", "render", model("arm"), *small, "--frame", 2, "--compare-settings", *paths)


@case()
def bind():
    check_verb("bind", "bind", model("arm"), "-o", "out.glb", "--voxels", 16)


@case()
def rig():
    check_verb("rig", "rig", model("arm", ".obj", 300), "-o", "out.glb", "--wiggle", "--report", "out.html")


@case()
def centers():
    run("model", "hand", "-o", cli.WORK / "hand.glb", "--markers", cli.WORK / "hand.trc")
    names = next(line for line in (cli.WORK / "hand.trc").read_text().splitlines() if line.startswith("Frame"))
    markers = [name for name in names.split("\t")[2:] if name]
    segments = cli.WORK / "memory_segments.json"
    segments.write_text(json.dumps({"segments": [
        {"name": "a", "markers": markers[:4]}, {"name": "b", "parent": "a", "markers": markers[4:8]}]}))
    check_verb("centers", "centers", cli.WORK / "hand.trc", "--segments", segments, "-o", "out.bvh")


@case("glb", "obj")
def make_model(ending):
    check_verb(f"model_{ending}", "model", "arm", "-o", f"out.{ending}", "--vertices", 300)


@case()
def other_readers():
    obj, bvh = cli.WORK / "memory.obj", cli.WORK / "memory.bvh"
    obj.write_text("o box\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    bvh.write_text("HIERARCHY\nROOT hips\n{\nOFFSET .2 .2 .2\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
                   "OFFSET .1 0 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n")
    check_verb("obj", "info", obj)
    check_verb("bvh", "info", bvh)
    check_verb("skeleton", "bind", obj, "--skeleton", bvh, "-o", "out.glb", "--voxels", 8)


@case()
def many_outputs():
    check_verb("paper", "paper", "-o", ".", "--only", "2009-figure-4", "--size", "64x64", "--threads", 1,
               tries=LONG_TRIES, leaves=True)


def get_importer():
    return Path(cli.PROGRAM).parent / "turgor-import"


def fail_importer(place, number, arguments, and_all_after=False):
    """As fail(), in the process that runs Assimp alone: a script in its place starts it so."""
    script = cli.WORK / "failing-import"
    variables = f"LD_PRELOAD='{FAIL_MALLOC}' TURGOR_FAIL_AT={number}" + (" TURGOR_FAIL_ON=1" if and_all_after else "")
    script.write_text(f"#!/bin/sh\n{variables} exec '{get_importer()}' \"$@\"\n")
    script.chmod(0o700)
    place.mkdir(parents=True, exist_ok=True)
    process = subprocess.run([cli.PROGRAM, *map(str, arguments)], cwd=place, stdin=subprocess.DEVNULL,
                             env=dict(os.environ, TURGOR_IMPORT=str(script)), capture_output=True, timeout=120)
    files = {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    shutil.rmtree(place)
    return process.returncode, process.stdout, process.stderr.decode(errors="replace"), files


@case("Snake.fbx", "RiggedFigure.dae")
def importer(name):
    """It ends by _exit, in a sandbox, and can tell no count; but it fails while less than all is there."""
    if not get_importer().exists():
        raise cli.Skipped("there is no importer")
    place, arguments = cli.WORK / "memory_importer", ["bake", cli.asset(name), "-o", "out.glb", "--frames", "0:1",
                                                      "--threads", 1]
    whole = fail_importer(place, 0, arguments)
    check_equal(whole[0], 0, f"the status of turgor bake {name} with memory ({whole[2]})")
    least, most = 0, 1
    while fail_importer(place, most, arguments, True)[0] != 0:
        least, most = most, 2 * most
    while most - least > 1:
        middle = (least + most) // 2
        fails = fail_importer(place, middle, arguments, True)[0] != 0
        least, most = (middle, most) if fails else (least, middle)
    check(least > 500, f"{least} allocations are too few to be all")
    check_numbers(name, least, MOST_TRIES, lambda number: fail_importer(place, number, arguments), whole,
                  ("out of memory",))


@case()
def settings():
    path = cli.WORK / "memory.json"
    path.write_text('{"volume": {"joints": {"forearm": {"profile": "muscle"}}}, "refine": {}, "bones": "auto", '
                    '"flesh": [{"name": "a", "driver": "forearm"}]}')
    check_verb("settings", "pose", model("arm"), "-o", "out.glb", "--frame", 2, "--settings", path)


if __name__ == "__main__":
    FAIL_MALLOC = sys.argv.pop()
    cli.main()
