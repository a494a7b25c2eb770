# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""The examples against the command line: test_examples.py PREFIX PROGRAMS_DIR ASSETS_DIR

PROGRAMS_DIR holds own_buffers, engine_loop and pose_driver, built against what is installed in
PREFIX. What own_buffers makes of a file and its settings, by tgScene_CreateRig, are the bits that
turgor bake writes. The weights of pose_driver are the sums of Gaussians. The web example plays a bake in a browser.
"""

import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PREFIX, PROGRAMS, ASSETS = (Path(path).resolve() for path in sys.argv[1:4])
WORK = Path(tempfile.mkdtemp())
POINT_CACHE_HEAD = 32  # bytes

FLESH = {"flesh": [{"driver": "upper_arm", "driven": "forearm"}]}
RUBBER = {"skinning": "dual-quaternion", "volume": {"default": {"profile": "rubber"}}}


def run(*command):
    environment = dict(os.environ)
    environment.pop("TURGOR_IMPORT", None)  # found beside the programs
    libraries = {path.parent for path in PREFIX.rglob("libturgor.so*")}
    environment["LD_LIBRARY_PATH"] = ":".join(map(str, libraries))
    environment["NODE_PATH"] = str(ROOT / "build/tools/node_modules")
    return subprocess.run(list(map(str, command)), env=environment, capture_output=True,
                          timeout=300)


def run_well(*command):
    result = run(*command)
    if result.returncode != 0:
        sys.exit(f"{command} ended with {result.returncode}: {result.stderr.decode()[-1000:]}")
    return result.stdout


def model(name):
    path = WORK / f"{name}.glb"
    run_well(PREFIX / "bin/turgor", "model", name, "-o", path)
    return path


def make_lively():
    """The cylinder with a morph target that comes and goes, and a joint that swells."""
    data = model("cylinder").read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    gltf, binary = json.loads(data[20:20 + size]), bytearray(data[28 + size:])

    def add(values, width, kind):
        at = len(binary)
        binary.extend(struct.pack(f"<{len(values)}f", *values))
        gltf["bufferViews"].append({"buffer": 0, "byteOffset": at, "byteLength": len(binary) - at})
        gltf["accessors"].append({
            "bufferView": len(gltf["bufferViews"]) - 1, "componentType": 5126, "type": kind,
            "count": len(values) // width,
            "min": [min(values[i::width]) for i in range(width)],
            "max": [max(values[i::width]) for i in range(width)]})
        return len(gltf["accessors"]) - 1

    mesh = next(i for i, node in enumerate(gltf["nodes"]) if "mesh" in node)
    primitive = gltf["meshes"][gltf["nodes"][mesh]["mesh"]]["primitives"][0]
    count = gltf["accessors"][primitive["attributes"]["POSITION"]]["count"]
    offsets = [0.02 * ((7 * i) % 5 - 2) for i in range(3 * count)]
    primitive["targets"] = [{"POSITION": add(offsets, 3, "VEC3")}]
    animation = gltf["animations"][0]
    times = add([0.0, 0.5, 1.0], 1, "SCALAR")
    joint = gltf["skins"][0]["joints"][-1]
    for node, path, output in ((mesh, "weights", add([0.0, 1.0, 0.25], 1, "SCALAR")),
                               (joint, "scale", add([1, 1, 1, 1.3, 1.2, 1.1, 1, 1, 1], 3, "VEC3"))):
        animation["samplers"].append({"input": times, "output": output})
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1,
                                      "target": {"node": node, "path": path}})
    gltf["buffers"][0]["byteLength"] = len(binary)
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    binary.extend(bytes(-len(binary) % 4))
    path = WORK / "lively.glb"
    path.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(binary), len(text),
                                 0x4E4F534A) + text +
                     struct.pack("<II", len(binary), 0x004E4942) + binary)
    return path


def compare(path, settings=None):
    """Frames of own_buffers and of a bake, byte by byte."""
    file = WORK / "settings.json"
    file.write_text(json.dumps(settings))
    frames = run_well(PROGRAMS / "own_buffers", path, *([file] if settings else []))
    bake = WORK / "bake.pc2"
    run_well(PREFIX / "bin/turgor", "bake", path, "-o", bake,
             *(["--settings", file] if settings else []))
    baked = bake.read_bytes()[POINT_CACHE_HEAD:]
    if frames != baked:
        first = next((i for i, (a, b) in enumerate(zip(frames, baked)) if a != b), None)
        sys.exit(f"{path.name} with {settings}: {len(frames)} bytes by the library, {len(baked)} by "
                 f"the command line; the first other one is {first}")
    plain = WORK / "plain.pc2"
    run_well(PREFIX / "bin/turgor", "bake", path, "-o", plain, "--volume", "none")
    if plain.read_bytes()[POINT_CACHE_HEAD:] == frames:
        sys.exit(f"{path.name}: nothing was corrected")
    return path.name


def compare_all():
    compared = [compare(make_lively()), compare(model("arm"), FLESH),
                compare(model("elephant"), {"flesh": "auto"}),
                compare(model("finger"), {"bones": "auto"}),
                compare(model("giraffe"), {"refine": {"levels": 2},
                                           "volume": {"default": {"profile": "folds"}}})]
    for name, settings in (("Trex.fbx", None), ("Snake.fbx", RUBBER), ("turkey_walk.dae", None),
                           ("CesiumMan.glb", None), ("Q_Rat.glb", None), ("Yeti.glb", RUBBER),
                           ("giraffe_vs.glb", None)):
        if (ASSETS / name).exists():
            compared.append(compare(ASSETS / name, settings))
    print(f"examples: own_buffers and turgor bake give the same bits of {', '.join(compared)}")


def fail_well():
    """A missing file and wrong settings are one line and status 1."""
    settings = WORK / "wrong.json"
    settings.write_text('{"volum": {}}')
    arm = model("arm")
    for command, word in ((["nosuch.glb"], b"nosuch.glb"), ([arm, settings], b"volum"),
                          ([arm, WORK / "none.json"], b"No such file")):
        for program in ("own_buffers", "engine_loop"):
            result = run(PROGRAMS / program, *command)
            lines = result.stderr.splitlines()
            if result.returncode != 1 or len(lines) != 1 or word not in lines[0]:
                sys.exit(f"{program} {command}: status {result.returncode}, {result.stderr}")


def multiply(a, b):
    return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]


def drive():
    """The forearm swings and the hand twists about its bone: both turns are 2 sin(angle / 2), and
    weights are the Gaussians of the file."""
    path = WORK / "driver.json"
    run_well(PREFIX / "bin/turgor", "correctives", model("arm"), "--driver", path, "-o", WORK / "driven.glb")
    driver = json.loads(path.read_text())
    turns, arguments = [[0, 0, 0] for _ in driver["joints"]], []
    for name, angle in (("forearm", 0.9), ("hand", -0.7)):
        j = next(i for i, joint in enumerate(driver["joints"]) if joint["name"] == name)
        axis = driver["joints"][j]["axis"]
        if name == "forearm":  # across its bone
            axis = [axis[1], -axis[0], 0] if abs(axis[2]) < 0.9 else [0, axis[2], -axis[1]]
            length = math.hypot(*axis)
            axis = [x / length for x in axis]
        turns[j] = [2 * math.sin(angle / 2) * x for x in axis]
        local = [math.sin(angle / 2) * x for x in axis] + [math.cos(angle / 2)]
        arguments += [name, *multiply(driver["joints"][j]["rest"], local)]
    told = dict(line.split() for line in run_well(PROGRAMS / "pose_driver", path, *arguments).decode().splitlines())
    for element in driver["elements"]:
        turn = [x for j in element["joints"] for x in turns[j]]
        rows = element["centers"]
        bells = [math.exp(-sum(((x - c) / w) ** 2 for x, c, w in zip(turn, row, element["widths"])) / 2)
                 for row in rows]
        for t in range(element["targetCount"]):
            wanted = element["biases"][t] + sum(a * b for a, b in zip(element["coefficients"][t], bells))
            name = driver["targets"][element["firstTarget"] + t]
            if abs(float(told[name]) - min(1, max(0, wanted))) > 2e-5:
                sys.exit(f"pose_driver: {name} is {told[name]}, wanted {wanted}")
    print(f"examples: pose_driver: {len(told)} weights are the sums of Gaussians")
    for text in ("", "{", '{"joints": [', path.read_text()[:1000]):
        (WORK / "cut.json").write_text(text)
        result = run(PROGRAMS / "pose_driver", WORK / "cut.json")
        if result.returncode != 1 or result.stderr.count(b"\n") != 1:
            sys.exit(f"pose_driver of {text[:20]}: status {result.returncode}, {result.stderr}")


def play_in_browser():
    modules = ROOT / "build/tools/node_modules"
    if not modules.exists() or shutil.which("node") is None:
        print("examples: three or node is not installed, the web page is not opened")
        return
    web = WORK / "web"
    shutil.copytree(ROOT / "examples/web", web, ignore=shutil.ignore_patterns("node_modules"))
    (web / "node_modules").symlink_to(modules)
    baked = WORK / "arm_baked.glb"
    run_well(PREFIX / "bin/turgor", "bake", model("arm"), "-o", baked, "--frames", "10:49")
    result = run("node", ROOT / "test/open_three.mjs", web, baked, 40)
    if result.returncode not in (0, 2):
        sys.exit((result.stdout + result.stderr).decode()[-2000:])
    print("examples:", (result.stdout or result.stderr).decode().strip())


def main():
    compare_all()
    fail_well()
    drive()
    for path in (make_lively(), model("arm")):
        print("examples: engine_loop:", run_well(PROGRAMS / "engine_loop", path).decode().strip())
    play_in_browser()
    shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
