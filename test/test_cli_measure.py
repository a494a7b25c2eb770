# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Long work from outside: test_cli_measure.py PROGRAM ASSETS_DIR

Dense meshes are measured in some of their frames, which is told; --every-frame measures all. A
terminal is told how long it takes, and Ctrl-C leaves nothing behind.
"""

import json
import re
import signal
import time

import cli_helper as cli
from cli_helper import (asset, case, check, check_equal, model, new_folder, on_a_terminal, run, run_json,
                        start, wait_until)

MOST_VERTEX_FRAMES, MOST_FACE_FRAMES = 5e6, 3e6  # as docs/pictures.md tells
DENSE = ("--fps", 700, "--volume", "none")  # 2101 frames of the arm's 2504 vertices


@case()
def few_frames_are_all_measured():
    measured = run_json("measure", model("arm"))
    check("sampled" not in measured, "91 frames of 2504 vertices are sampled")
    check_equal([f["frame"] for f in measured["perFrame"]], list(range(91)), "frames")
    check("--every-frame" not in run("measure", model("arm"))[0], "it speaks of sampling")


@case()
def dense_files_are_sampled():
    arm = model("arm")
    some, every = run_json("measure", arm, *DENSE), run_json("measure", arm, *DENSE, "--every-frame")
    check("sampled" not in every and every["frames"] == 2101, f"{every['frames']} frames")
    numbers = [frame["frame"] for frame in some["perFrame"]]
    check_equal(some["sampled"]["of"], 2101, "frames there are")
    check_equal(some["sampled"]["frames"], len(numbers), "frames measured")
    check_equal(some["frames"], len(numbers), "frames")
    check_equal((numbers[0], numbers[-1]), (0, 2100), "first and last")
    check(len(numbers) * 2504 <= MOST_VERTEX_FRAMES + 2504, f"{len(numbers)} frames")
    steps = {b - a for a, b in zip(numbers, numbers[1:])}
    check_equal(steps, {2}, "steps from frame to frame")
    # Leaving frames out changes none of the others.
    check_equal(some["perFrame"], [every["perFrame"][n] for n in numbers], "what they have")
    faces = run_json("info", arm)["triangles"]
    check(some["sampled"]["crossings"] * faces / 2 <= MOST_FACE_FRAMES + faces, str(some["sampled"]))
    check(1 < some["sampled"]["crossings"] < len(numbers), str(some["sampled"]))


@case()
def sampling_is_told():
    out, err = run("measure", model("arm"), *DENSE, "--report", cli.WORK / "some.html")
    line = re.search(r"^(\d+) of 2101 frames were measured, crossings in (\d+); --every-frame "
                     r"measures all$", out, re.M)
    check(line, out[-600:])
    check_equal(len(re.findall(r"^ +\d+ +\d+\.\d{4} ", out, re.M)), int(line[1]), "lines of frames")
    check(line[0] in (cli.WORK / "some.html").read_text(), "the report does not say so")
    check_equal(err, "", "standard error")


@case()
def a_limit_looks_at_every_frame():
    """The check of a limit leaves no volume out, only crossings."""
    out, err = run("measure", model("arm"), *DENSE, "--max-error", 1e-9, "--json", status=1)
    measured = json.loads(out)
    check_equal(measured["frames"], 2101, "frames")
    check(1 < measured["sampled"]["crossings"] < 2101, str(measured["sampled"]))
    worst = max(measured["perFrame"], key=lambda f: abs(f["linear"] / f["target"] - 1))
    check(f"frame {worst['frame']} misses its volume" in err, err)


@case()
def dense_asset_is_quick():
    path = asset("human_makehuman_53k.glb")
    measured = run_json("measure", path, "--volume", "none")
    told = measured["sampled"]
    check_equal((told["frames"], told["of"]), (81, 241), "frames of 53514 vertices")
    check_equal(told["crossings"], 28, "frames whose crossings were counted")
    check_equal([f["frame"] for f in measured["perFrame"]], list(range(0, 241, 3)), "frames")


@case()
def a_terminal_is_told_how_long():
    with on_a_terminal("measure", model("arm"), "--fps", 100000, "--every-frame") as (
            process, read_some, read_all):
        shown, deadline = b"", time.monotonic() + 30
        while b"Ctrl-C" not in shown and time.monotonic() < deadline:
            shown += read_some()
        process.send_signal(signal.SIGINT)
        shown += read_all()
        check_equal(process.wait(), 1, "status")
    told = re.search(rb"turgor: measure: about (\d+) s and (\d+) MB; Ctrl-C ends it", shown)
    check(told and int(told[1]) > 5 and 5 < int(told[2]) < 4000, f"{shown[:400]!r}")
    check_equal(shown.count(b"Ctrl-C"), 1, "times it is told")
    check(re.search(rb"\d+/300001, \d+ s left", shown), "the bar does not say what is left")


@case()
def short_work_is_not_announced():
    with on_a_terminal("measure", model("arm"), "--frames", "0:20") as (process, _, read_all):
        shown = read_all()
        check_equal(process.wait(), 0, "status")
    check(b"Ctrl-C" not in shown, f"{shown[:200]!r}")


LONG = {
    "report": ["measure", "ELEPHANT", "--report", "OUT/x.html", "--fps", 2000, "--every-frame"],
    "film": ["render", "ELEPHANT", "--animate", "OUT/x.mp4", "--fps", 500],
    "bake": ["bake", "ELEPHANT", "-o", "OUT/x.usda", "--fps", 2000],
    "bind": ["bind", "ELEPHANT", "-o", "OUT/x.glb", "--voxels", 450],
    "demo": ["demo", "-o", "OUT"],
    "paper": ["paper", "-o", "OUT"],
}


@case(*((name, delay) for name in LONG for delay in (0.05, 0.7)))
def interrupted(how):
    """At once and a little later: one line, status 1, soon, and no half file."""
    name, delay = how
    with new_folder(f"long_{name}_{delay}") as folder:
        words = [str(model("elephant")) if word == "ELEPHANT" else str(word).replace("OUT", str(folder))
                 for word in LONG[name]]
        process = start(*words)
        try:
            wait_until(lambda: cli.catches(process, signal.SIGINT), process, "catching SIGINT")
            time.sleep(delay)
            begun = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
            process.wait()
        took = time.monotonic() - begun
        check_equal(process.returncode, 1, f"status of {name}: {err!r}")
        lines = [line for line in err.decode().splitlines() if "warning" not in line]
        check(len(lines) == 1 and "interrupted" in lines[0], f"it said {err!r}")
        # Half a dozen frames, or one picture, on a machine that is busy.
        check(took < 10, f"{name} took {took:.1f} s to end")
        left = [path.name for path in folder.rglob("*") if ".tmp-" in path.name]
        check_equal(left, [], "temporary files")


if __name__ == "__main__":
    cli.main()
