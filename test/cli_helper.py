# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""What the tests of the command line share: cases, and running the program.

A test is run as test_cli_AREA.py PROGRAM ASSETS_DIR. It runs the program in a temporary folder, on its
embedded characters and on other people's where the assets folder is there.
"""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
SANITIZER_STATUS = 99  # not one of the program's own, so that a finding never looks like a failure

PRESETS = ("organic", "anatomic", "rubber", "muscle", "folds", "isotropic", "belly")

PROGRAM = ""
ASSETS = None  # None when the folder is not there
WORK = Path()
WRITTEN = []  # every .glb and .gltf, for the validator


# ---- cases ---------------------------------------------------------------------------------------


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


CASES = []


def case(*arguments):
    """The function is one case of the program that is run, or one for each of the arguments."""

    def register(function):
        name = function.__name__.replace("_", " ")
        if function.__module__ != "__main__":  # of a test that another borrows from
            return function
        for argument in arguments:
            CASES.append((f"{name}: {argument}", lambda a=argument: function(a)))
        if not arguments:
            CASES.append((name, function))
        return function

    return register


def check(condition, message):
    if not condition:
        raise Failed(message)


def check_equal(found, wanted, what):
    # The values may be whole frames: words only when they are wanted.
    if found != wanted:
        raise Failed(f"{what} is {repr(found)[:300]}, wanted {repr(wanted)[:300]}")


def check_near(found, wanted, tolerance, what):
    near = abs(found - wanted) <= tolerance
    check(near, f"{what} is {found!r}, wanted {wanted!r} to {tolerance:g}")


def asset(name):
    if ASSETS is None:
        raise Skipped("there is no assets folder")
    if not (ASSETS / name).exists():
        raise Skipped(f"the assets folder has no {name}")
    return ASSETS / name


def list_assets():
    """Those with an ending we read; empty when there is no folder."""
    endings = (".glb", ".gltf", ".fbx", ".dae", ".obj")
    return sorted(p for p in ASSETS.iterdir() if p.suffix in endings) if ASSETS else []


# ---- running the program -------------------------------------------------------------------------


def make_environment():
    environment = dict(os.environ)
    for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"):
        own = f"exitcode={SANITIZER_STATUS}"
        environment[variable] = ":".join(filter(None, [environment.get(variable), own]))
    return environment


def start(*arguments, **more):
    def reset_signals():  # a test that runs in the background has inherited SIGINT ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if "prepare" in more:
            more["prepare"]()

    command = [PROGRAM, *map(str, arguments)]
    stdout, stderr = more.get("stdout", subprocess.PIPE), more.get("stderr", subprocess.PIPE)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                            env=make_environment(), cwd=more.get("folder", WORK),
                            preexec_fn=reset_signals)


def run(*arguments, status=0, **more):
    """Standard output and standard error as text; the status must be the one wanted."""
    process = start(*arguments, **more)
    out, err = process.communicate(timeout=300)
    out, err = (out or b"").decode(), (err or b"").decode()
    shown = " ".join(map(str, arguments))[:300]
    check(process.returncode == status,
          f"turgor {shown}: status {process.returncode}, wanted {status}: {err[-2000:]}")
    if status == 0:
        WRITTEN.extend(Path(target) for option, target in zip(arguments, arguments[1:])
                       if option == "-o" and str(target).endswith((".glb", ".gltf")))
    return out, err


def run_json(*arguments):
    out, _ = run(*arguments, "--json")
    check(out.startswith("{") and out.endswith("}\n"), f"more than JSON on stdout: {out[:200]!r}")
    return json.loads(out)


def check_one_line(err, beginning):
    check(err.endswith("\n") and err.count("\n") == 1, f"not one line on stderr: {err!r}")
    check(err.startswith(beginning), f"stderr is {err!r}, wanted it to begin with {beginning!r}")
    check(len(err) > len(beginning) + 5, f"stderr says nothing: {err!r}")


def run_wrong(*arguments, **more):
    """Wrong usage: status 2 and one line."""
    out, err = run(*arguments, status=2, **more)
    check_equal(out, "", "standard output")
    check_one_line(err, "turgor: ")
    return err


def run_failing(file, *arguments, **more):
    """The work failed: status 1, one line that names the file, nothing left in the folder."""
    before = list_files(WORK)
    out, err = run(*arguments, status=1, **more)
    check_equal(out, "", "standard output")
    check_one_line(err, f"turgor: {file}: ")
    check_equal(list_files(WORK), before, "what is in the folder")
    return err


def list_files(folder):
    return sorted((str(p), p.stat().st_size) for p in Path(folder).rglob("*"))


@contextmanager
def new_folder(name):
    folder = WORK / name
    folder.mkdir()
    yield folder


MODELS = {}


def model(name, ending=".glb", vertices=0):
    """An embedded character as a file, written once."""
    path = WORK / f"{name}{vertices or ''}{ending}"
    if path not in MODELS:
        MODELS[path], _ = run("model", name, "-o", path, "--vertices", vertices)
    return path


def list_models():
    listing = subprocess.run([PROGRAM, "model", "--list"], capture_output=True, text=True).stdout
    return {line.split()[0]: int(line.split()[1]) for line in listing.splitlines()}


def needs_assimp(path):
    """True when this build cannot read the file for lack of Assimp."""
    if path.suffix not in (".fbx", ".dae"):
        return False
    process = start("info", path)
    return b"TURGOR_ASSIMP" in process.communicate()[1]


def write_settings(text):
    path = WORK / "settings.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


# ---- programs that run ---------------------------------------------------------------------------


def wait_until(condition, process, what):
    deadline = time.monotonic() + 60
    while not condition():
        check(process.poll() is None, f"it ended before {what}: {process.poll()}")
        check(time.monotonic() < deadline, f"{what} did not come to pass")
        time.sleep(0.005)


def catches(process, number):
    """Has the program taken over the signal?"""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16) >> (number - 1) & 1


@contextmanager
def on_a_terminal(*arguments):
    """The process, and two functions: what its standard error shows next, and up to its end."""
    try:
        outer, inner = pty.openpty()
    except OSError:
        raise Skipped("this machine has no pseudo-terminals") from None
    process = start(*arguments, stderr=inner)
    os.close(inner)

    def read_all(shown=b""):
        while True:
            try:
                block = os.read(outer, 65536)
            except OSError:  # the other end is closed
                block = b""
            if not block:
                return shown
            shown += block

    try:
        yield process, lambda: os.read(outer, 65536), read_all
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        os.close(outer)


# ---- all cases -----------------------------------------------------------------------------------


def check_nothing_is_left():
    left = [str(p) for p in WORK.rglob("*") if ".tmp-" in p.name]
    check_equal(left, [], "temporary files")


def validate_written(least):
    """Every .glb and .gltf that was written, `least` of them or more."""
    environment = dict(os.environ)
    paths = [str(REPOSITORY / "build/tools/node_modules"), environment.get("NODE_PATH")]
    environment["NODE_PATH"] = ":".join(filter(None, paths))
    files = sorted({str(path) for path in WRITTEN if path.exists()})
    check(len(files) >= least, f"only {len(files)} files to validate")
    command = ["node", str(REPOSITORY / "scripts/validate_gltf.mjs"), *files]
    try:
        result = subprocess.run(command, capture_output=True, text=True, env=environment)
    except FileNotFoundError:
        raise Skipped("node is not installed") from None
    if result.returncode == 2:
        raise Skipped(f"{len(files)} files are not validated: {result.stderr.strip()}")
    check(result.returncode == 0, result.stdout[-3000:] + result.stderr[-500:])


def run_case(name, function):
    """@return passed, failed or skipped"""
    try:
        function()
    except Skipped as reason:
        print(f"skipped  {name}: {reason}")
        return "skipped"
    except Exception as reason:  # one broken case must not hide the others
        print(f"FAILED   {name}: {type(reason).__name__}: {reason}"[:4000])
        return "failed"
    return "passed"


def main(least_written=0):
    """Runs the cases of the program that is run, then looks at what they left behind.
    @param least_written glTF files that they write, which are validated
    """
    global PROGRAM, ASSETS, WORK
    if len(sys.argv) != 3:
        sys.exit(f"usage: {Path(sys.argv[0]).name} PROGRAM ASSETS_DIR")
    PROGRAM = str(Path(sys.argv[1]).resolve())
    ASSETS = Path(sys.argv[2]).resolve() if Path(sys.argv[2]).is_dir() else None
    if ASSETS is None:
        print(f"there is no folder {sys.argv[2]}: what needs other people's characters is skipped")
    cases = CASES + [("nothing is left behind", check_nothing_is_left)]
    if least_written > 0:
        cases.append(("validator finds no error", lambda: validate_written(least_written)))
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(prefix="turgor_cli_") as folder:
        WORK = Path(folder).resolve()
        for name, function in cases:
            begun = sum(os.times()[:4])
            counts[run_case(name, function)] += 1
            if os.environ.get("TURGOR_TEST_TIMES"):  # of the processor, the program's and ours
                print(f"{sum(os.times()[:4]) - begun:8.2f} s  {name}")
            sys.stdout.flush()
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    sys.exit(1 if counts["failed"] else 0)
