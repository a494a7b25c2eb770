# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Finer meshes from outside: test_cli_refine.py PROGRAM ASSETS_DIR

Settings with "refine", through bake, pose, measure and render.
"""

import collections
import json

import cli_helper as cli
from cli_helper import asset, case, check, check_equal, model, run, run_failing, run_json


def settings(name, content):
    path = cli.WORK / f"{name}.json"
    path.write_text(json.dumps(content))
    return path


def read_obj(path):
    vertices, faces = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append(tuple(map(float, words[1:4])))
        elif words[:1] == ["f"]:
            faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return vertices, faces


def count_open_sides(faces):
    """Sides that are not walked once each way; a corner in the middle of a side leaves three."""
    ways = collections.Counter()
    for face in faces:
        for a, b in zip(face, face[1:] + face[:1]):
            ways[a, b] += 1
    return sum(1 for a, b in ways if ways[a, b] != 1 or ways[b, a] != 1)


@case(1, 2)
def bake_and_pose_agree(levels):
    glb = model("elephant")
    folds = {"profile": "folds", "folds": 1.25, "sigma": [1.2, 1.5, 2]}
    volume = {"default": {"profile": "rubber"}, "joints": {f"spine{i}": folds for i in (1, 2, 3)}}
    plain = settings("plain", {"volume": volume})
    fine = settings("fine", {"volume": volume, "refine": {"levels": levels}})
    coarse = run_json("bake", glb, "--settings", plain, "--frames", "0:2", "-o", cli.WORK / "c.glb")
    check("refinedFrom" not in coarse, coarse)
    report = run_json("bake", glb, "--settings", fine, "--frames", "0:2", "-o", cli.WORK / "f.glb")
    check_equal(report["refinedFrom"], coarse["vertices"], "vertices before")
    ratio = report["vertices"] / coarse["vertices"]
    check(1.2 ** levels < ratio < 2.5 ** levels, f"{ratio} times the vertices at {levels} levels")
    check(abs(report["worst"]) < 1e-6, f"the volume is off by {report['worst']}")
    mesh = cli.WORK / "fine.obj"
    run("pose", glb, "--settings", fine, "--frame", 60, "-o", mesh)
    vertices, faces = read_obj(mesh)
    check_equal(len(vertices), report["vertices"], "vertices of the pose")
    check_equal(count_open_sides(faces), 0, "sides that are open")
    text, _ = run("bake", glb, "--settings", fine, "--frames", "0:0", "-o", cli.WORK / "t.pc2")
    check(f"refined from {coarse['vertices']} vertices" in text, text)
    # The same mesh whatever frames are wanted, and whether the volume is kept or not.
    text, _ = run("pose", glb, "--settings", fine, "--frame", 3, "--volume", "none", "-o", mesh)
    check(f"{report['vertices']} vertices" in text, text)


@case()
def measure_and_render():
    glb = model("arm")
    fine = settings("arm", {"refine": {"threshold": 0.5}})
    report = run_json("measure", glb, "--settings", fine, "--max-error", "1e-6")
    coarse = run_json("measure", glb)
    check(abs(report["restVolume"] / coarse["restVolume"] - 1) < 1e-7, "the rest volume changed")
    run("render", glb, "--settings", fine, "--frame", 20, "--wireframe", "--size", "160x120", "-o",
        cli.WORK / "arm.png")


@case("CesiumMan.glb", "Fox.glb", "human_makehuman.glb", "RiggedFigure.dae", "Trex.fbx")
def other_characters(name):
    """Textures and materials stay, the validator has no word to say."""
    file = asset(name)
    fine = settings("any", {"refine": {}})
    out = cli.WORK / f"fine_{name}.glb"
    report = run_json("bake", file, "--settings", fine, "--frames", "0:0", "-o", out)
    check(report["vertices"] > report["refinedFrom"], report)
    check(abs(report["worst"]) < 1e-6, f"the volume is off by {report['worst']}")
    plain = cli.WORK / f"plain_{name}.glb"
    run("bake", file, "--frames", "0:0", "-o", plain)
    found, wanted = read_document(out), read_document(plain)
    for key in ("materials", "textures", "samplers"):
        check_equal(found.get(key), wanted.get(key), key)
    check_equal(len(found.get("images", [])), len(wanted.get("images", [])), "images")
    for mesh, old in zip(found["meshes"], wanted["meshes"]):
        for primitive, before in zip(mesh["primitives"], old["primitives"]):
            check_equal(primitive.get("material"), before.get("material"), "material")
            check_equal(sorted(primitive["attributes"]), sorted(before["attributes"]), "attributes")


def read_document(path):
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    return json.loads(data[20:20 + size])


@case("elephant", "hand")
def smoothed(name):
    """Rounder, a little smaller, and that volume is kept; outside nothing changes."""
    glb = model(name)
    fine = settings("fine_flat", {"refine": {"levels": 1}})
    smooth = settings("fine_smooth", {"refine": {"levels": 1, "smooth": True}})
    flat = run_json("measure", glb, "--settings", fine, "--frames", "0:0")
    report = run_json("measure", glb, "--settings", smooth, "--max-error", "1e-6")
    part = report["restVolume"] / flat["restVolume"]
    check(0.97 < part < 0.99999, f"{part} of the volume after smoothing")
    for file in (fine, smooth):
        run("pose", glb, "--settings", file, "--frame", 0, "--volume", "none", "-o",
            cli.WORK / f"{file.stem}.obj")
    before, faces = read_obj(cli.WORK / "fine_flat.obj")
    after, same = read_obj(cli.WORK / "fine_smooth.obj")
    check_equal(faces, same, "faces")
    moved = sum(a != b for a, b in zip(before, after))
    check(0.2 < moved / len(before) < 0.98, f"{moved} of {len(before)} vertices moved")
    check(roughness(after, faces) < 0.8 * roughness(before, faces), "it is not smoother")


def roughness(vertices, faces):
    """Mean of 1 - cosine between faces that share an edge."""
    sides, total, count = {}, 0.0, 0
    for face in faces:
        a, b, c = (vertices[i] for i in face[:3])
        u, v = [[q - p for p, q in zip(a, other)] for other in (b, c)]
        n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        length = sum(x * x for x in n) ** 0.5 or 1.0
        n = [x / length for x in n]
        for i, j in zip(face, face[1:] + face[:1]):
            other = sides.pop((j, i), None)
            if other is None:
                sides[i, j] = n
            else:
                total += 1.0 - sum(p * q for p, q in zip(n, other))
                count += 1
    return total / count


@case()
def what_goes_wrong():
    glb, out = model("arm"), cli.WORK / "never.glb"
    bad = settings("bad", {"refine": {"levels": 9}})
    err = run_failing(bad, "bake", glb, "--settings", bad, "-o", out)
    check('"levels" is 9, expected a whole number, 0 to 4' in err, err)
    bad = settings("bad", {"refine": {"smooth": 1}})
    err = run_failing(bad, "bake", glb, "--settings", bad, "-o", out)
    check('"smooth" is 1, expected true or false' in err, err)


@case()
def validator_finds_no_error():
    cli.validate_written(5)


if __name__ == "__main__":
    cli.main()
