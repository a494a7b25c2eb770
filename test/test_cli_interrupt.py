# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Interruptions and terminals, from outside: test_cli_interrupt.py PROGRAM ASSETS_DIR"""

import os
import shutil
import signal
import time
from contextlib import contextmanager
from itertools import product

import cli_helper as cli
from cli_helper import (case, catches, check, check_equal, check_one_line, model, new_folder, on_a_terminal,
                        run, start, wait_until)


@contextmanager
def long_bake(folder, ending, earlier):
    """A bake of many seconds that has begun to write."""
    target = folder / f"x{ending}"
    if earlier is not None:
        target.write_bytes(earlier)
    # A glTF of so many frames as the caches would pass 4 GiB.
    name, fps = ("elephant", 2000) if ending in (".glb", ".gltf") else ("cylinder", 100000)
    process = start("bake", model(name), "-o", target, "--fps", fps)
    try:
        wait_until(lambda: len(os.listdir(folder)) > (earlier is not None), process, "writing")
        time.sleep(0.05)
        yield process, target
    finally:
        process.kill()
        process.communicate()


@case(*product((".pc2", ".mdd", ".glb", ".gltf", ".obj"), (signal.SIGINT, signal.SIGTERM)))
def interrupted_bake(how):
    ending, number = how
    with new_folder(f"interrupted{ending}{number}") as folder:
        with long_bake(folder, ending, b"earlier") as (process, target):
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            check_equal((process.returncode, out), (1, b""), "status and standard output")
            told = [x for x in err.decode().splitlines(True) if "warning: the bake will take" not in x]
            check_one_line("".join(told), f"turgor: {target}: interrupted at frame ")
        check_equal(os.listdir(folder), [target.name], "what is in the folder")
        check_equal(target.read_bytes(), b"earlier", "what was there before")


@case(".pc2", ".glb", ".obj")
def killed_bake(ending):
    with new_folder(f"killed{ending}") as folder:
        with long_bake(folder, ending, None) as (process, target):
            process.kill()
            process.communicate()
        names = os.listdir(folder)
        check(names and all(name.startswith(".") and ".tmp-" in name for name in names),
              f"not only temporaries are left: {names[:5]}")
        shutil.rmtree(folder)


@case(*product(("frame", "fit", "report", "joint"), (signal.SIGINT, signal.SIGTERM)))
def interrupted_correctives(how):
    """In the frames and in a driver's joints it says where; what asks no flag ends at once."""
    stage, number = how
    more = {"frame": ["--fps", 20000], "fit": ["--fps", 300, "--max-error", "0.001%"],
            "report": ["--report", "x.html", "--fps", 60], "joint": ["--driver", "x.json", "--fps", 1]}[stage]
    glb = model("arm") if stage == "frame" else model("human", vertices=30000 if stage == "joint" else 0)
    with new_folder(f"interrupted_{stage}{number}") as folder:
        process = start("correctives", glb, "-o", "x.glb", *more, folder=folder)
        wait_until(lambda: catches(process, number), process, "catching the signal")
        time.sleep({"frame": 0.5, "fit": 1.0, "report": 1.5, "joint": 1.5}[stage])
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        check_equal((process.returncode, out), (1, b""), "status and standard output")
        check_one_line(err.decode(), "turgor: ")
        check(b"interrupted" in err, f"it said {err!r}")
        if stage in ("frame", "joint"):
            check(f"{glb}: interrupted at ".encode() in err, f"it said {err!r}")
        check_equal(os.listdir(folder), [], "what is in the folder")


@case()
def interrupted_measure():
    path = model("arm")
    process = start("measure", path, "--fps", 100000, "--plot", cli.WORK / "x.svg")
    wait_until(lambda: catches(process, signal.SIGINT), process, "catching SIGINT")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check_equal((process.returncode, out), (1, b""), "status and standard output")
    check_one_line(err.decode(), "turgor: ")
    check(b"interrupted" in err and not (cli.WORK / "x.svg").exists(), f"it said {err!r}")


@case()
def interrupted_model():
    """Making a large mesh takes long and asks no flag, so it ends at once."""
    process = start("model", "elephant", "-o", cli.WORK / "never.glb", "--vertices", 500000)
    wait_until(lambda: catches(process, signal.SIGINT), process, "catching SIGINT")
    time.sleep(0.1)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    check_equal((process.returncode, err), (1, b"turgor: model: interrupted\n"), "what it said")
    check(time.monotonic() - begun < 2, "it took its time")
    check(not list(cli.WORK.glob(".never*")) and not (cli.WORK / "never.glb").exists(), "something is left")


@case()
def progress_on_a_terminal_only():
    glb = model("arm")
    for verb in (["bake", glb, "-o", cli.WORK / "bar.pc2"], ["measure", glb]):
        with on_a_terminal(*verb) as (process, _, read_all):
            shown, out = read_all(), process.stdout.read()
            check_equal(process.wait(), 0, "status")
        check(b"##" in shown and b"91/91" in shown, f"no bar: {shown[:200]!r}")
        check(shown.endswith(b"\r\x1b[K"), f"the bar stays: {shown[-80:]!r}")
        check(b"\r" not in out and b"##" not in out, "the bar is on standard output")
        check_equal(run(*verb)[1], "", "standard error without a terminal")


@case()
def message_takes_the_place_of_the_bar():
    glb = model("arm")
    with on_a_terminal("measure", glb, "--fps", 100000) as (process, read_some, read_all):
        read_some()
        process.send_signal(signal.SIGINT)
        shown = read_all()
        check_equal(process.wait(), 1, "status")
    last = b"\r\x1b[Kturgor: %s: interrupted at frame " % os.fsencode(glb)
    check(last in shown and shown.endswith(b"\r\n"), f"it ends with {shown[-150:]!r}")


if __name__ == "__main__":
    cli.main()
