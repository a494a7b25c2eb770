# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Painted gamma and vertex groups from outside: test_cli_paint.py PROGRAM ASSETS_DIR

A paint goes in as a glTF attribute, as colours of an OBJ or as a group, and comes out again.
"""

import json
import struct

import cli_helper as cli
from cli_helper import case, check, check_equal, model, run, run_failing, run_json
from cli_readers import Gltf, check_png, read_obj, write_glb


def settings(name, content):
    path = cli.WORK / f"{name}.json"
    path.write_text(json.dumps(content))
    return path


def add_attributes(path, target, make):
    """A copy of a GLB with more attributes at its vertices.

    make(positions) gives {name: (numbers at each vertex, list of all)}.
    """
    gltf = Gltf(path)
    binary = bytearray(gltf.binary)
    for _, primitive in list(gltf.get_parts(lambda node: "mesh" in node)):
        rest = gltf.read(primitive["attributes"]["POSITION"])
        points = [rest[i:i + 3] for i in range(0, len(rest), 3)]
        for name, (width, values) in make(points).items():
            view = len(gltf.json["bufferViews"])
            data = struct.pack(f"<{len(values)}f", *values)
            gltf.json["bufferViews"].append({"buffer": 0, "byteOffset": len(binary),
                                             "byteLength": len(data)})
            kind = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[width]
            gltf.json["accessors"].append({"bufferView": view, "componentType": 5126,
                                           "count": len(points), "type": kind})
            primitive["attributes"][name] = len(gltf.json["accessors"]) - 1
            binary += data
    gltf.json["buffers"][0]["byteLength"] = len(binary)
    return write_glb(target, gltf.json, bytes(binary))


def side(points):
    """1 on one side of the cylinder, 0 on the other."""
    return [1.0 if p[2] > 1e-4 else 0.0 for p in points]


def painted(name="painted.glb", attribute="_TURGOR_GAMMA"):
    def make(points):
        values = side(points)
        if attribute.startswith("COLOR"):
            return {attribute: (4, [x for v in values for x in (0.5, v, 0.0, 1.0)])}
        return {attribute: (1, values)}
    return add_attributes(model("cylinder", vertices=2000), cli.WORK / name, make)


def posed(glb, *options):
    target = cli.WORK / "posed.obj"
    run("pose", glb, "--frame", 20, "-o", target, *options)
    positions, faces = read_obj(target)
    return [tuple(positions[i:i + 3]) for i in range(0, len(positions), 3)], faces


def check_held(glb, *options):
    plain, _ = posed(glb, "--volume", "none")
    kept, _ = posed(glb, "--contact", "off", *options)
    rest = Gltf(glb).read_skin_positions()
    values = side([rest[i:i + 3] for i in range(0, len(rest), 3)])
    moved = [a != b for a, b in zip(plain, kept)]
    check_equal(sum(1 for m, v in zip(moved, values) if m and v == 0), 0, "unpainted that moved")
    check(sum(moved) > len(values) / 20, f"{sum(moved)} of {len(values)} vertices moved")


@case([], ["--preset", "rubber"], ["--volume", "local"], ["--mode", "paper", "--preset", "rubber"])
def an_attribute_holds_the_skin(options):
    check_held(painted(), *options)
    if "local" not in options:
        run("measure", painted(), "--contact", "off", "--max-error", "1e-6", *options)


@case()
def a_color_does_when_it_is_named():
    glb = painted("colored.glb", "COLOR_1")
    check_held(glb, "--settings", settings("color", {"volume": {"paint": "COLOR_1.g"}}))
    # Nobody named it: it is a colour.
    free, _ = posed(glb, "--contact", "off")
    same, _ = posed(model("cylinder", vertices=2000), "--contact", "off")
    check_equal(free, same, "positions")
    # Named for all and taken back for a joint.
    joints = [node["name"] for node in Gltf(glb).json["nodes"] if "mesh" not in node]
    back = {"paint": "COLOR_1.g", "joints": {name: {"paint": None} for name in joints
                                             if name in run("info", glb)[0]}}
    freed, _ = posed(glb, "--contact", "off", "--settings", settings("back", {"volume": back}))
    check(any(a != b for a, b in zip(freed, posed(glb, "--volume", "none")[0])), "nothing moved")
    bad = settings("bad", {"volume": {"paint": "COLOR_1"}})
    err = run_failing(bad, "pose", glb, "--frame", 0, "--settings", bad, "-o", cli.WORK / "never.obj")
    check("has several numbers at a vertex" in err, err)


@case()
def bake_carries_it():
    glb = painted()
    wanted = side(list(zip(*[iter(Gltf(glb).read_skin_positions())] * 3)))
    out = cli.WORK / "baked_painted.glb"
    run("bake", glb, "--frames", "0:1", "-o", out)
    baked = Gltf(out)
    found = [x for _, p in baked.get_parts(lambda node: True)
             for x in baked.read(p["attributes"]["_TURGOR_GAMMA"])]
    check_equal(found, wanted, "the paint")


@case()
def correctives_carry_it():
    glb, out = painted(), cli.WORK / "painted_correctives.glb"
    run("correctives", glb, "-o", out)
    found = Gltf(out)
    values = [x for _, p in found.get_parts(lambda node: "skin" in node)
              for x in found.read(p["attributes"]["_TURGOR_GAMMA"])]
    check_equal(values, side(list(zip(*[iter(Gltf(glb).read_skin_positions())] * 3))), "the paint")


@case(1, 2)
def a_finer_mesh_has_it(levels):
    glb, out = painted(), cli.WORK / "fine_painted.glb"
    fine = settings("fine_paint", {"refine": {"levels": levels, "threshold": 0.3}})
    report = run_json("bake", glb, "--settings", fine, "--contact", "off", "--frames", "20:20", "-o",
                      out)
    check(report["vertices"] > report["refinedFrom"], report)
    check(abs(report["worst"]) < 1e-6, f"the volume is off by {report['worst']}")
    baked = Gltf(out)
    paint = [x for _, p in baked.get_parts(lambda node: True)
             for x in baked.read(p["attributes"]["_TURGOR_GAMMA"])]
    check_equal(len(paint), report["vertices"], "vertices with a paint")
    plain, _ = posed(glb, "--settings", fine, "--volume", "none")
    kept, _ = posed(glb, "--settings", fine, "--contact", "off")
    moved = [a != b for a, b in zip(plain, kept)]
    check_equal(sum(1 for m, v in zip(moved, paint) if m and v == 0), 0, "unpainted that moved")
    check(any(moved), "nothing moved")


@case()
def it_shows():
    out = cli.WORK / "painted.png"
    run("render", painted(), "--frame", 20, "--show", "gamma", "--size", "160x120", "-o", out)
    check_png(out, 160, 120)
    other = cli.WORK / "plain_gamma.png"
    run("render", model("cylinder", vertices=2000), "--frame", 20, "--show", "gamma", "--size",
        "160x120", "-o", other)
    check(out.read_bytes() != other.read_bytes(), "the paint does not show")


def write_painted_obj(path):
    """The bind pose of the arm as OBJ, coloured on one side, a group at its end, two materials."""
    gltf = Gltf(model("arm"))
    rest, triangles = gltf.read_skin_positions(), gltf.read_skin_triangles()
    points = [rest[i:i + 3] for i in range(0, len(rest), 3)]
    middle = sum(p[0] for p in points) / len(points)
    lines = ["o arm"] + ["v %.9g %.9g %.9g %g 0 0" % (*p, 1 if p[2] > 0 else 0) for p in points]
    for i in range(0, len(triangles), 3):
        corners = triangles[i:i + 3]
        far = all(points[c][0] > middle for c in corners)
        lines += ["g " + ("far skin" if far else "skin"),
                  "usemtl " + ("hand" if far else "sleeve"),
                  "f " + " ".join(str(c + 1) for c in corners)]
    path.write_text("\n".join(lines) + "\n")
    return points


@case()
def obj_to_a_bound_character():
    """Colours and groups come through the automatic weights into the GLB."""
    mesh, out = cli.WORK / "painted_arm.obj", cli.WORK / "bound_arm.glb"
    points = write_painted_obj(mesh)
    run("bind", mesh, "--skeleton", model("arm"), "-o", out)
    bound = Gltf(out)
    parts = list(bound.get_parts(lambda node: "skin" in node))
    colors = [x for _, p in parts for x in bound.read(p["attributes"]["COLOR_0"])]
    check_equal([c for c in colors[::3]], [1.0 if p[2] > 0 else 0.0 for p in points], "colours")
    group = [x for _, p in parts for x in bound.read(p["attributes"]["_far"])]
    middle = sum(p[0] for p in points) / len(points)
    check(0 < sum(group) < len(points), "the group is all or nothing")
    check(all(v == 0 or p[0] > middle for v, p in zip(group, points)), "the group")
    # By the name it had, for the volume and for flesh; and by a material.
    for name in ("far", "hand"):
        file = settings("far", {"volume": {"paint": name}, "flesh": [
            {"name": "f", "driver": "forearm", "driven": "hand", "vertices": name}]})
        plain, _ = posed(out, "--volume", "none", "--settings",
                         settings("none", {"volume": {"paint": name}}))
        kept, _ = posed(out, "--contact", "off", "--settings",
                        settings("paint", {"volume": {"paint": name}}))
        moved = [a != b for a, b in zip(plain, kept)]
        check_equal(sum(1 for m, v in zip(moved, group) if m and v == 0), 0, "others that moved")
        check(any(moved), "nothing moved")
        run("pose", out, "--frame", 20, "--settings", file, "-o", cli.WORK / "flesh.obj")
    # OBJ to OBJ: the colour stays.
    run("pose", out, "--frame", 20, "-o", cli.WORK / "colored.obj")
    lines = [line.split() for line in (cli.WORK / "colored.obj").read_text().splitlines()
             if line.startswith("v ")]
    check_equal([float(words[4]) for words in lines], colors[::3], "colours of the OBJ")


COLORED_DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<source id="c"><float_array id="ca" count="16">1 0 0 1 0 0.5 0 1 0 0 0.25 1 0 0 0 0.125</float_array>
<technique_common><accessor source="#ca" count="4" stride="4"><param name="R" type="float"/>
<param name="G" type="float"/><param name="B" type="float"/><param name="A" type="float"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="COLOR" source="#c" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


@case()
def colors_of_other_formats():
    """Through the importer, which reads FBX and DAE alike."""
    mesh, bound = cli.WORK / "colored.dae", cli.WORK / "colored_dae.glb"
    mesh.write_text(COLORED_DAE)
    check_equal(run_json("info", mesh)["painted"], ["COLOR_0"], "attributes")
    run("bind", mesh, "--skeleton", model("arm"), "-o", bound)
    gltf = Gltf(bound)
    (_, part), = gltf.get_parts(lambda node: "skin" in node)
    rest, colors = (gltf.read(part["attributes"][key]) for key in ("POSITION", "COLOR_0"))
    at = {tuple(rest[3 * i:3 * i + 3]): colors[4 * i:4 * i + 4] for i in range(len(rest) // 3)}
    wanted = {(0, 0, 0): [1, 0, 0, 1], (1, 0, 0): [0, 0.5, 0, 1], (0, 1, 0): [0, 0, 0.25, 1],
              (0, 0, 1): [0, 0, 0, 0.125]}
    check_equal(at, wanted, "colours")


@case()
def info_lists_them():
    text, _ = run("info", painted())
    check("painted           _TURGOR_GAMMA\n" in text, text)
    mesh = cli.WORK / "listed.obj"
    write_painted_obj(mesh)
    found = run_json("info", mesh)
    check_equal((found["painted"], found["groups"]), (["COLOR_0"], ["skin", "far"]), "names")


@case()
def validator_finds_no_error():
    cli.validate_written(3)


if __name__ == "__main__":
    cli.main()
