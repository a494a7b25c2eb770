# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Files that cannot be read or written, and odd names: test_cli_files.py PROGRAM ASSETS_DIR"""

import os
import random
import resource
import shutil
import signal
from itertools import product
from pathlib import Path

import cli_helper as cli
from cli_helper import (Skipped, case, check, check_equal, check_one_line, list_files, model, new_folder, run,
                        run_failing, run_json, run_wrong, start)
from cli_readers import check_svg, read_pc2


def make_bad_files(folder):
    good = model("cylinder").read_bytes()
    noise = random.Random(1).randbytes(5000)
    for ending in (".glb", ".gltf", ".obj", ".fbx", ".dae", ".bvh"):
        (folder / f"empty{ending}").write_bytes(b"")
        (folder / f"noise{ending}").write_bytes(noise)
        (folder / f"folder{ending}").mkdir()
        yield from (folder / f"{kind}{ending}" for kind in ("missing", "empty", "noise", "folder"))
    for size in (3, 12, 19, 20, 500, len(good) // 2, len(good) - 1):
        (folder / f"cut_{size}.glb").write_bytes(good[:size])
        yield folder / f"cut_{size}.glb"
    (folder / "glb_as.obj").write_bytes(good)
    (folder / "text_as.glb").write_text("o cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (folder / "other.gltf").write_text('{"hello": "world"}')
    (folder / "list.gltf").write_text("[1, 2, 3]")
    (folder / "points.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n")
    (folder / "wrong_face.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    (folder / "character.txt").write_bytes(good)
    (folder / "character").write_bytes(good)
    yield from (folder / name for name in ("glb_as.obj", "text_as.glb", "other.gltf", "list.gltf",
                                           "points.obj", "wrong_face.obj", "character.txt",
                                           "character", "no\nsuch.glb"))
    yield folder / "no_folder" / "x.glb"
    yield folder / "character.txt" / "x.glb"


@case()
def input_that_cannot_be_read():
    with new_folder("bad") as folder:
        for path in list(make_bad_files(folder)):
            said = str(path).replace("\n", "?")
            run_failing(said, "info", path)
            run_failing(said, "info", path, "--json")
            run_failing(said, "bake", path, "-o", folder / "out.glb")
        for path in (folder / "missing.glb", folder / "empty.glb", folder / "cut_500.glb"):
            run_failing(path, "pose", path, "-o", folder / "out.obj", "--frame", 0)
            run_failing(path, "measure", path, "--json", "--plot", folder / "out.svg")


@case()
def mesh_without_a_skin():
    obj = model("cylinder", ".obj")
    for arguments in (["bake", obj, "-o", cli.WORK / "x.glb"], ["measure", obj],
                      ["pose", obj, "-o", cli.WORK / "x.obj", "--frame", 0]):
        check("no skin" in run_failing(obj, *arguments), "the message does not tell of the skin")
    check_equal(run_json("info", obj)["joints"], 0, "joints of an OBJ")


@case()
def damaged_files_never_crash():
    good = model("arm", vertices=300).read_bytes()
    rng = random.Random(2)
    with new_folder("damaged") as folder:
        for i in range(60):
            data = bytearray(good)
            span = 2000 if i % 2 else len(data)  # the JSON comes first
            for _ in range(1 + i % 4):
                data[rng.randrange(span)] = rng.randrange(256)
            path = folder / "x.glb"
            path.write_bytes(data)
            process = start("measure", path, "--frames", "0:1")
            out, err = process.communicate(timeout=60)
            check(process.returncode in (0, 1), f"copy {i}: {process.returncode}, {err[-1000:]}")
            failures = [line for line in err.splitlines() if b": warning: " not in line]
            check_equal(len(failures), process.returncode, f"lines of failure for copy {i}")


@case()
def output_that_cannot_be_written():
    glb = model("cylinder")
    with new_folder("targets") as folder:
        (folder / "file").write_text("not a folder")
        for ending in (".glb", ".gltf", ".pc2", ".mdd", ".obj", ".svg"):
            (folder / f"folder{ending}").mkdir()
            (folder / f"folder_0000{ending}").mkdir()
        places = [folder / "no_folder", folder / "file", Path("/proc")]
        for place, ending in product(places, (".glb", ".gltf", ".pc2", ".mdd", ".obj", ".usda")):
            target = place / f"x{ending}"
            run_failing(target, "bake", glb, "-o", target, "--frames", "0:2")
            run_failing(target, "pose", glb, "-o", target, "--frame", 0)
        for ending in (".glb", ".gltf", ".pc2", ".mdd", ".obj"):
            target = folder / f"folder{ending}"
            run_failing(target, "bake", glb, "-o", target, "--frames", "0:2")
            run_failing(target, "pose", glb, "-o", target, "--frame", 0)
        for name in ("no_folder/x.glb", "folder.obj", "file/x.gltf"):
            run_failing(folder / name, "model", "cylinder", "-o", folder / name)
        for target in (folder / "no_folder" / "x.svg", folder / "folder.svg"):
            run_failing(target, "measure", glb, "--plot", target)
        run_failing(folder / "no_folder" / "demo", "demo", "-o", folder / "no_folder" / "demo")
        run_failing(folder / "file" / "elephant.glb", "demo", "-o", folder / "file")
        run_failing("/tmp" + "/x" * 600, "demo", "-o", "/tmp" + "/x" * 600)


@case()
def output_folder_without_permission():
    if os.geteuid() == 0:
        raise Skipped("root may write anywhere")
    with new_folder("locked") as folder:
        folder.chmod(0o555)
        run_failing(folder / "x.glb", "bake", model("cylinder"), "-o", folder / "x.glb")
        folder.chmod(0o755)


@case(".glb", ".gltf", ".pc2", ".mdd", ".obj", ".usda")
def disk_full(ending):
    def prepare():  # no file may grow past this: what a full disk looks like to the program
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    target = cli.WORK / f"full{ending}"
    arguments = ["bake", model("arm"), "-o", target, "--frames", "0:3"]
    run_failing(target, *arguments, prepare=prepare)
    with open("/dev/full", "wb") as full:
        _, err = run("info", model("arm"), stdout=full, status=1)
        check_one_line(err, "turgor: standard output: ")
        run("--help", stdout=full, status=1)


@case()
def wrong_endings():
    """Wrong usage, told before anything is read or made: the input and the model are not there."""
    before = list_files(cli.WORK)
    baked = ".glb, .gltf, .pc2, .mdd, .usda or .obj"
    for name in ("x", "x.abc", "x.tga", "glb", ".", "x.glb.txt"):
        target = cli.WORK / name
        for wanted, option, verb in (
                (baked, "-o", "bake"), (baked, "-o", "pose"), (".glb, .gltf or .obj", "-o", "model"),
                (".glb, .gltf or .obj", "--bones", "model"), (".trc", "--markers", "model"),
                (".svg", "--plot", "measure"), (".html", "--report", "measure"), (".png", "-o", "render"),
                (".mp4 or .gif", "--animate", "render"), (".glb or .gltf", "-o", "rig"),
                (".html", "--report", "rig"), (".glb or .gltf", "-o", "bind"),
                (".glb or .gltf", "-o", "correctives"), (".html", "--report", "correctives"),
                (".json", "--driver", "correctives"), (".bvh or .json", "-o", "centers")):
            err = run_wrong(verb, "missing.glb", option, target)
            check_equal(err, f"turgor: {option} is {target}, wanted a name that ends in {wanted}\n", verb)
    check_equal(list_files(cli.WORK), before, "what is in the folder")


@case()
def two_outputs_of_one_name():
    with new_folder("one_name") as folder:
        (folder / "link").symlink_to(folder)
        for other in ("b.obj", "./b.obj", folder / "b.obj", "link/b.obj"):
            err = run_wrong("model", "hand", "-o", "b.obj", "--bones", other, folder=folder)
            check("-o and --bones are both" in err, err)
        check_equal(list(folder.glob("*.obj")), [], "what was written")
        run("model", "hand", "-o", "b.obj", "--bones", "c.obj", folder=folder)
        (folder / "d.obj").symlink_to(folder / "b.obj")
        before = list_files(folder)
        run_wrong("model", "hand", "-o", "b.obj", "--bones", "d.obj", folder=folder)
        check_equal(list_files(folder), before, "what is in the folder")


@case()
def endings_in_capitals():
    glb = cli.WORK / "CAPITALS.GLB"
    run("model", "cylinder", "-o", glb)
    for ending in (".GLTF", ".OBJ"):
        run("model", "cylinder", "-o", cli.WORK / f"CAPITALS{ending}")
        check_equal(run_json("info", cli.WORK / f"CAPITALS{ending}")["vertices"], 256, "vertices")
    run("bake", glb, "-o", cli.WORK / "CAPITALS.PC2", "--frames", "0:1")
    check_equal(len(read_pc2(cli.WORK / "CAPITALS.PC2")), 2, "frames")
    check_svg(run("measure", glb, "--plot", cli.WORK / "CAPITALS.SVG") and cli.WORK / "CAPITALS.SVG")


@case()
def odd_file_names():
    with new_folder("odd names") as folder:
        for name in ("with space", "umläut", "a<b>&\"c'", "=x=", "%s%n", "-dash", "x" * 240):
            path = folder / f"{name}.glb"
            shutil.copy(model("cylinder"), path)
            check_equal(run_json("info", path)["file"], str(path), "file name in the JSON")
            run("bake", path, "-o", folder / f"{name}.pc2", "--frames", "0:1")
            run("measure", path, "--plot", folder / f"{name}.svg", "--frames", "0:3")
            check(name in check_svg(folder / f"{name}.svg") or len(name) > 100, f"title of {name}")
        run("info", "./-dash.glb", folder=folder)
        latin = os.fsdecode(os.fsencode(folder) + b"/caf\xe9.glb")  # no UTF-8
        shutil.copy(model("cylinder"), latin)
        check(run_json("info", latin)["file"].endswith("caf_.glb"), "a name that is not UTF-8")


if __name__ == "__main__":
    cli.main()
