# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""turgor bind from outside: test_cli_bind.py PROGRAM ASSETS_DIR

Meshes and skeletons in every format, what is carried over, the report, and what goes wrong.
"""

import json
import re
import struct

import cli_helper as cli
from cli_helper import (asset, case, check, check_equal, check_near, model, run, run_failing, run_json,
                        run_wrong)
from cli_readers import Gltf, read_pc2, write_glb

PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
                      "53de0000000c4944415408d763f8cfc000000301010018dd8db00000000049"
                      "454e44ae426082")


def get_skin(path):
    """For each vertex its joints by name with their weights."""
    gltf = Gltf(path)
    skin = gltf.json["skins"][0]
    names = [gltf.json["nodes"][n].get("name", "") for n in skin["joints"]]
    vertices = []
    for _, primitive in gltf.get_parts(lambda node: "skin" in node):
        attributes = primitive["attributes"]
        count = gltf.json["accessors"][attributes["POSITION"]]["count"]
        rows = [{} for _ in range(count)]
        for s in range(8):
            if f"JOINTS_{s}" not in attributes:
                break
            joints = gltf.read(attributes[f"JOINTS_{s}"])
            weights = gltf.read(attributes[f"WEIGHTS_{s}"])
            for i, (joint, weight) in enumerate(zip(joints, weights)):
                if weight > 0:
                    row = rows[i // 4]
                    row[names[joint]] = row.get(names[joint], 0) + weight
        vertices += rows
    for row in vertices:
        check_near(sum(row.values()), 1, 1e-6, "the sum of a vertex's weights")
    return vertices


def get_mains(path):
    return [max(row, key=row.get) for row in get_skin(path)]


def write_skeleton(path, glb):
    """The joints of a GLB, as they stand, in our JSON."""
    gltf = Gltf(glb)
    parents = gltf.get_parents()
    joints = gltf.json["skins"][0]["joints"]
    listed = []
    for n in joints:
        up = parents.get(n)
        while up is not None and up not in joints:
            up = parents.get(up)
        world = gltf.get_world(n)
        listed.append({"name": gltf.json["nodes"][n]["name"],
                       "parent": gltf.json["nodes"][up]["name"] if up is not None else None,
                       "position": [world[r][3] for r in range(3)]})
    path.write_text(json.dumps({"joints": listed}))
    return path


@case("arm", "finger", "hand")
def own_skeleton(name):
    path, out = model(name), cli.WORK / f"own_{name}.glb"
    report = run_json("bind", path, "-o", out)
    info = run_json("info", out)
    check_equal(report["unreachedVertices"], 0, "vertices that no bone reached")
    check_equal(report["outsideJoints"], [], "joints outside")
    check_equal(info["vertices"], report["vertices"], "vertices")
    check_equal([a["name"] for a in info["animations"]],
                [a["name"] for a in run_json("info", path)["animations"]], "animations")
    same = sum(a == b for a, b in zip(get_mains(out), get_mains(path)))
    check(same > 0.85 * report["vertices"], f"{same} of {report['vertices']} main joints are the model's")
    run("bake", out, "-o", cli.WORK / f"own_{name}.pc2", "--frames", "0:3")


@case()
def mesh_and_skeleton_from_two_files():
    """The same weights, whatever the files are."""
    obj, glb = model("arm", ".obj"), model("arm")
    skeleton = write_skeleton(cli.WORK / "arm_skeleton.json", glb)
    by_glb, by_json = cli.WORK / "by_glb.glb", cli.WORK / "by_json.gltf"
    run("bind", obj, "-o", by_glb, "--skeleton", glb)
    run("bind", obj, "-o", by_json, "--skeleton", skeleton)
    check_equal(len(Gltf(by_glb).json["animations"]), len(Gltf(glb).json["animations"]), "animations")
    check("animations" not in Gltf(by_json).json, "a skeleton alone moved")
    for a, b in zip(get_skin(by_glb), get_skin(by_json)):
        check(all(abs(a.get(j, 0) - b.get(j, 0)) < 1e-3 for j in {*a, *b}), f"weights {a} and {b}")
    run("measure", by_glb, "--frames", "0:5")


@case()
def skeleton_with_motion():
    obj, bvh, out = model("arm", ".obj"), cli.WORK / "arm.bvh", cli.WORK / "moves.glb"
    info = json.loads(write_skeleton(cli.WORK / "for_bvh.json", model("arm")).read_text())["joints"]
    places = {j["name"]: j["position"] for j in info}
    chain = [j["name"] for j in info]
    text, closing = "HIERARCHY\n", ""
    for i, name in enumerate(chain):
        up = info[i]["parent"]
        offset = [a - b for a, b in zip(places[name], places[up] if up else (0, 0, 0))]
        text += f"{'JOINT' if up else 'ROOT'} {name}\n{{\nOFFSET {' '.join(map(repr, offset))}\n"
        text += "CHANNELS 3 Zrotation Xrotation Yrotation\n"
        closing += "}\n"
    text += "End Site\n{\nOFFSET 0.1 0 0\n}\n" + closing + "MOTION\nFrames: 3\nFrame Time: 0.1\n"
    text += "".join(" ".join([str(10 * f), "0", "0"] * len(chain)) + "\n" for f in range(3))
    bvh.write_text(text)
    run("bind", obj, "-o", out, "--skeleton", bvh)
    check_equal([a["name"] for a in run_json("info", out)["animations"]], ["motion"], "animations")
    run("bake", out, "-o", cli.WORK / "moves.pc2")


def make_textured_box(path):
    """A box without a skin, on a node that moves and scales it, with a texture."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    positions = b"".join(struct.pack("<3f", *p) for p in corners)
    uvs = b"".join(struct.pack("<2H", 8000 * i, 65535 - 8000 * i) for i in range(8))
    colors = bytes(range(32))
    indices = b"".join(struct.pack("<6H", a, b, c, a, c, d) for a, b, c, d in faces)
    binary, views = b"", []
    for data in (positions, uvs, colors, indices, PIXEL):
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        binary += data + bytes(-len(data) % 4)
    document = {
        "asset": {"version": "2.0", "copyright": "a box"},
        "extensionsUsed": ["KHR_materials_unlit", "KHR_texture_transform"],
        "buffers": [{"byteLength": len(binary)}], "bufferViews": views,
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [-1] * 3,
             "max": [1] * 3},
            {"bufferView": 1, "componentType": 5123, "count": 8, "type": "VEC2", "normalized": True},
            {"bufferView": 2, "componentType": 5121, "count": 8, "type": "VEC4", "normalized": True},
            {"bufferView": 3, "componentType": 5123, "count": 36, "type": "SCALAR"}],
        "images": [{"bufferView": 4, "mimeType": "image/png"}], "samplers": [{"magFilter": 9728}],
        "textures": [{"source": 0, "sampler": 0}],
        "materials": [{"name": "unused"},
                      {"name": "painted", "extensions": {"KHR_materials_unlit": {}},
                       "pbrMetallicRoughness": {"baseColorTexture": {
                           "index": 0, "extensions": {"KHR_texture_transform": {"scale": [2, 2]}}}}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1, "COLOR_0": 2},
                                    "indices": 3, "material": 1}]}],
        "nodes": [{"name": "box", "mesh": 0, "translation": [5, 0, 0], "scale": [2, 2, 2]}],
        "scenes": [{"nodes": [0]}], "scene": 0}
    write_glb(path, document, binary)
    return path, uvs, colors


@case()
def materials_and_textures_stay():
    path, uvs, colors = make_textured_box(cli.WORK / "box.glb")
    skeleton, out = cli.WORK / "box.json", cli.WORK / "box_bound.glb"
    skeleton.write_text('{"joints": [{"name": "a", "position": [4, 0, 0]},'
                        '{"name": "b", "parent": "a", "position": [6, 0, 0]}]}')
    run("bind", path, "-o", out, "--skeleton", skeleton, "--voxels", 16)
    cli.WRITTEN.append(out)
    gltf = Gltf(out)
    primitive = gltf.json["meshes"][0]["primitives"][0]
    material = gltf.json["materials"][primitive["material"]]
    check_equal(material["name"], "painted", "the material")
    texture = gltf.json["textures"][material["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
    view = gltf.json["bufferViews"][gltf.json["images"][texture["source"]]["bufferView"]]
    start = view.get("byteOffset", 0)
    check_equal(gltf.binary[start:start + view["byteLength"]], PIXEL, "the image")
    attributes = primitive["attributes"]
    check_equal([round(65535 * x) for x in gltf.read(attributes["TEXCOORD_0"])],
                list(struct.unpack("<16H", uvs)), "texture coordinates")
    check_equal([round(255 * x) for x in gltf.read(attributes["COLOR_0"])], list(colors), "colours")
    check_equal(sorted(gltf.json["extensionsUsed"]), ["KHR_materials_unlit", "KHR_texture_transform"],
                "extensions")
    check_equal(gltf.json["asset"].get("copyright"), "a box", "the copyright")
    positions = gltf.read(attributes["POSITION"])
    check_equal((min(positions[0::3]), max(positions[0::3])), (3, 7), "the box in model space")
    for p, main in zip(positions[0::3], get_mains(out)):
        check_equal(main, "a" if p < 5 else "b", "the main joint")


@case()
def options_change_the_weights():
    path = model("hand")
    plain = cli.WORK / "plain.glb"
    run("bind", path, "-o", plain)
    for options in (["--influences", 1], ["--influences", 8], ["--falloff", 9], ["--method", "distance"],
                    ["--method", "distance", "--falloff", 2], ["--voxels", 40],
                    ["--method", "distance", "--inside", "normal"],
                    ["--method", "distance", "--bone-length"]):
        out = cli.WORK / "changed.glb"
        run("bind", path, "-o", out, *options)
        rows = get_skin(out)
        most = max(len(row) for row in rows)
        check(most <= dict(zip(options[::2], options[1::2])).get("--influences", 4), f"{most} influences")
        check(rows != get_skin(plain), f"{options} changes nothing")


@case()
def report_tells():
    """A root on the floor, a joint just outside, an island that no bone reaches."""
    obj, skeleton = cli.WORK / "report.obj", cli.WORK / "report.json"
    lines, first = [], 1
    for center, size in (((0, 0, 0), 1.0), ((4, 0, 0), 0.3)):
        corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        lines += [f"v {' '.join(str(c + size * d) for c, d in zip(center, p))}" for p in corners]
        for face in ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)):
            lines.append("f " + " ".join(str(first + i) for i in face))
        first += 8
    obj.write_text("\n".join(lines + ["v 0 3 0"]) + "\n")
    skeleton.write_text(json.dumps({"joints": [
        {"name": "floor", "position": [0, -9, 0]},
        {"name": "body", "parent": "floor", "position": [-0.5, 0, 0]},
        {"name": "side", "parent": "body", "position": [1.1, 0, 0]}]}))
    out = cli.WORK / "report.glb"
    report = run_json("bind", obj, "-o", out, "--skeleton", skeleton)
    check_equal(report["islands"], 2, "islands")
    check_equal(report["unreachedIslands"], 1, "unreached islands")
    check_equal(report["unreachedVertices"], 8, "unreached vertices")
    check_equal(report["looseVertices"], 1, "vertices in no face")
    check_equal(report["outsideJoints"], ["floor"], "joints outside")
    check_equal(report["snappedJoints"], ["side"], "joints snapped")
    text, _ = run("bind", obj, "-o", out, "--skeleton", skeleton)
    for word in ("islands           2", "floor", "side", "8 vertices", "in no face"):
        check(word in text, f"the report does not tell {word!r}: {text}")


@case()
def what_goes_wrong():
    glb, obj, out = model("arm"), model("arm", ".obj"), cli.WORK / "never.glb"
    run_wrong("bind", glb)
    run_wrong("bind", "-o", out)
    for option, text in (("--method", "heat"), ("--voxels", "many"), ("--falloff", "-1"),
                         ("--inside", "out")):
        run_wrong("bind", glb, "-o", out, option, text)
    err = run_failing(obj, "bind", obj, "-o", out)
    check("--skeleton FILE" in err, err)
    for option, text in (("--voxels", 4), ("--influences", 0), ("--influences", 99)):
        err = run_failing(glb, "bind", glb, "-o", out, option, text)
        check("wanted" in err, err)
    run_failing(cli.WORK / "no/x.glb", "bind", glb, "-o", cli.WORK / "no/x.glb")
    bad = cli.WORK / "bad.json"
    bad.write_text('{"joints": [\n{"name": "a"}]}')
    err = run_failing(bad, "bind", obj, "-o", out, "--skeleton", bad)
    check("line 2, column 1: the joint has no \"position\"" in err, err)
    far = cli.WORK / "far.json"
    far.write_text('{"joints": [{"name": "a", "position": [9000, 0, 0]}]}')
    err = run_failing(obj, "bind", obj, "-o", out, "--skeleton", far)
    check("no joint of 1 lies inside the mesh" in err, err)
    run_failing(obj, "bind", glb, "-o", out, "--skeleton", obj)
    run_failing("missing.bvh", "bind", obj, "-o", out, "--skeleton", "missing.bvh")


# ---- skeletons that do not fit ------------------------------------------------------------------


def write_moved(path, obj, scale, offset):
    """The mesh of an OBJ, scaled and moved."""
    lines = []
    for line in obj.read_text().splitlines():
        words = line.split()
        if words and words[0] == "v":
            place = [scale * float(x) + o for x, o in zip(words[1:4], offset)]
            line = "v " + " ".join(map(repr, place))
        lines.append(line)
    path.write_text("\n".join(lines) + "\n")
    return path


@case("own mesh", "joints alone")
def a_skeleton_of_another_size(kind):
    """Bound to a mesh of another size and place: refused with numbers, and fitted with --fit."""
    glb, scale, offset = model("cat"), 37.0, (5.0, -20.0, 11.0)
    mesh = write_moved(cli.WORK / "large.obj", model("cat", ".obj"), scale, offset)
    skeleton = glb
    if kind == "joints alone":
        skeleton = cli.WORK / "cat_joints.json"
        write_skeleton(skeleton, glb)
    out = cli.WORK / "fitted.glb"
    err = run_failing(mesh, "bind", mesh, "--skeleton", skeleton, "-o", cli.WORK / "never.glb")
    times = float(re.search(r"the mesh is (\S+) times as large as the skeleton", err)[1])
    check_near(times / scale, 1, 0.001 if kind == "own mesh" else 0.4, "how much larger it is")
    check(err.rstrip().endswith("--fit scales and moves it"), err)
    report = run_json("bind", mesh, "--skeleton", skeleton, "-o", out, "--fit")
    check_equal(report["outsideJoints"], [], "joints outside")
    fit = report["fit"]
    if kind == "own mesh":
        check_equal(fit["stance"], "bound", "stance")
        check_near(fit["scale"], scale, 1e-3, "scale")
        for got, wanted in zip(fit["offset"], offset):
            check_near(got, wanted, 1e-2, "offset")
        # It moves as the cat does, that much larger. Weights are found anew on another grid.
        same = cli.WORK / "same.glb"
        run("bind", model("cat", ".obj"), "--skeleton", glb, "-o", same)
        for path in (out, same):
            run("bake", path, "-o", path.with_suffix(".pc2"), "--volume", "none", "--frames", "10:12")
        for large, small in zip(read_pc2(out.with_suffix(".pc2"), 10),
                                read_pc2(same.with_suffix(".pc2"), 10)):
            worst = max(abs(large[i] - scale * small[i] - offset[i % 3]) for i in range(len(small)))
            check(worst < 0.05 * scale, f"a vertex is {worst} away")
    else:
        check(0.6 * scale < fit["scale"] < 1.4 * scale, f"scale {fit['scale']}")


@case("CesiumMan.glb", "Q_Rat.glb", "Q_Fox.glb")
def a_posed_mesh_fits_its_own_file(name):
    """They stand in another size or direction than they were bound in."""
    path, mesh, out = asset(name), cli.WORK / "posed.obj", cli.WORK / "posed.glb"
    run("pose", path, "--frame", 0, "-o", mesh)
    err = run_failing(mesh, "bind", mesh, "--skeleton", path, "-o", cli.WORK / "never.glb")
    check("--fit scales and moves it" in err, err)
    report = run_json("bind", mesh, "--skeleton", path, "-o", out, "--fit")
    joints = run_json("info", path)["joints"]
    check(len(report["outsideJoints"]) <= 0.1 * joints, f"outside: {report['outsideJoints']}")
    check(report["fit"]["stance"] in ("stands", "starts"), str(report["fit"]))


@case()
def dropped_joints_are_told():
    """With their names; --strict writes nothing."""
    skeleton = {"joints": [
        {"name": "low", "position": [0, 0, 0.2]}, {"name": "high", "parent": "low", "position": [0, 0, 0.8]},
        {"name": "far", "parent": "high", "position": [9, 9, 9]},
        {"name": "farther", "parent": "far", "position": [19, 9, 9]}]}
    file = cli.WORK / "far.json"
    file.write_text(json.dumps(skeleton))
    cube = cli.WORK / "bar.obj"
    cube.write_text("".join(f"v {x} {y} {z}\n" for z in (0, 1) for y in (-.2, .2) for x in (-.2, .2)) +
                    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n")
    out = cli.WORK / "bar.glb"
    words = ("bind", cube, "--skeleton", file, "-o", out)
    _, err = run(*words)
    check_equal(len(err.splitlines()), 1, f"lines of {err!r}")
    check("warning: 2 of 4 joints lie outside the mesh and get no skin: far, farther;" in err, err)
    out.unlink()
    err = run_failing(cube, *words, "--strict")
    check("2 of 4 joints" in err and "far, farther" in err and "(--strict)" in err, err)
    _, err = run("bind", model("arm"), "-o", cli.WORK / "own.glb", "--strict")
    check_equal(err, "", "standard error when all fit")
    run_wrong("bind", model("arm"), "-o", out, "--fit")


if __name__ == "__main__":
    cli.main()
