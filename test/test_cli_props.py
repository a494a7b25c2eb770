# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Files with more than a skin from outside: test_cli_props.py PROGRAM ASSETS_DIR

A box in the hand of the arm and another that flies beside it, both without a skin. The same boxes as
skins of one joint each are the other way to say so: pictures of both files are the same.
"""

import math
import struct

import cli_helper as cli
from png_picture import Picture
from cli_helper import case, check, check_equal, model, run, run_json
from cli_readers import Gltf, edit_gltf, write_glb

RED, BLUE = [0.9, 0.02, 0.02, 1.0], [0.02, 0.05, 0.9, 1.0]


def make_box(size):
    """Positions and normals of 24 vertices, and 36 corners."""
    positions, normals, corners = [], [], []
    for axis in range(3):
        for side in (-1, 1):
            first = len(positions) // 3
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                place, normal = [0, 0, 0], [0, 0, 0]
                place[axis], normal[axis] = side, side
                place[(axis + 1) % 3], place[(axis + 2) % 3] = a, b
                positions += [size * x for x in place]
                normals += normal
            order = (0, 1, 2, 0, 2, 3) if side > 0 else (0, 2, 1, 0, 3, 2)
            corners += [first + k for k in order]
    return positions, normals, corners


class Editor:
    """A GLB that grows."""

    def __init__(self, path):
        source = Gltf(path)
        self.json, self.binary = source.json, bytearray(source.binary)

    def add(self, format_, values, component, kind):
        self.binary += bytes(-len(self.binary) % 4)
        at = len(self.binary)
        self.binary += struct.pack(f"<{len(values)}{format_}", *values)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": at,
                                         "byteLength": len(self.binary) - at})
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        self.json["accessors"].append({
            "bufferView": len(self.json["bufferViews"]) - 1, "componentType": component, "type": kind,
            "count": len(values) // width, "min": [min(values[i::width]) for i in range(width)],
            "max": [max(values[i::width]) for i in range(width)]})
        return len(self.json["accessors"]) - 1

    def append(self, what, item):
        self.json.setdefault(what, []).append(item)
        return len(self.json[what]) - 1

    def add_box(self, size, color, skinned):
        positions, normals, corners = make_box(size)
        attributes = {"POSITION": self.add("f", positions, 5126, "VEC3"),
                      "NORMAL": self.add("f", normals, 5126, "VEC3")}
        if skinned:
            attributes["JOINTS_0"] = self.add("B", [0, 0, 0, 0] * 24, 5121, "VEC4")
            attributes["WEIGHTS_0"] = self.add("f", [1.0, 0.0, 0.0, 0.0] * 24, 5126, "VEC4")
        material = self.append("materials", {"pbrMetallicRoughness": {"baseColorFactor": color}})
        return self.append("meshes", {"primitives": [{
            "attributes": attributes, "material": material,
            "indices": self.add("H", corners, 5123, "SCALAR")}]})

    def hang(self, parent, node, mesh, skinned):
        """A node that carries the mesh, or is the one joint of a skin that does."""
        if not skinned:
            node["mesh"] = mesh
        index = self.append("nodes", node)
        roots = self.json["scenes"][0]["nodes"]
        if parent is None:
            roots.append(index)
        else:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        if skinned:
            self.bind(index, mesh)
        return index

    def bind(self, joint, mesh):
        """The mesh where the joint stands, bound there: moved by a rotation with one scale."""
        world = Gltf.get_world(self, joint)
        scale = math.hypot(*(world[r][0] for r in range(3)))
        attributes = self.json["meshes"][mesh]["primitives"][0]["attributes"]
        for name, moves in (("POSITION", 1), ("NORMAL", 0)):
            old = struct.unpack_from(f"<{72}f", self.binary, self.json["bufferViews"][
                self.json["accessors"][attributes[name]]["bufferView"]]["byteOffset"])
            new = [sum(world[r][c] * old[3 * v + c] for c in range(3)) / (1 if moves else scale) +
                   moves * world[r][3] for v in range(24) for r in range(3)]
            attributes[name] = self.add("f", new, 5126, "VEC3")
        back = [[world[c][r] / scale ** 2 for c in range(3)] for r in range(3)]
        columns = [[back[r][c] for r in range(3)] + [0.0] for c in range(3)]
        columns.append([-sum(back[r][c] * world[c][3] for c in range(3)) for r in range(3)] + [1.0])
        matrices = self.add("f", [x for column in columns for x in column], 5126, "MAT4")
        skin = self.append("skins", {"joints": [joint], "inverseBindMatrices": matrices})
        self.json["scenes"][0]["nodes"].append(self.append("nodes", {"mesh": mesh, "skin": skin}))

    def get_local(self, index):
        return Gltf.get_local(self, index)

    def get_parents(self):
        return Gltf.get_parents(self)

    def save(self, path):
        self.json["buffers"][0]["byteLength"] = len(self.binary)
        self.binary += bytes(-len(self.binary) % 4)
        return write_glb(path, self.json, self.binary)


def make_file(skinned):
    path = cli.WORK / ("skinned.glb" if skinned else "props.glb")
    if path.exists():
        return path
    file = Editor(model("arm"))
    nodes = file.json["nodes"]
    hand = next(n for n in file.json["skins"][0]["joints"] if nodes[n]["name"] == "hand")
    file.hang(hand, {"name": "held", "translation": [0.02, 0.09, 0.03],
                     "rotation": [0.0, 0.0, 0.3826834, 0.9238795], "scale": [1.5, 1.5, 1.5]},
              file.add_box(0.05, RED, skinned), skinned)
    flying = file.hang(None, {"name": "flying", "translation": [0.3, 0.3, 0.0]},
                       file.add_box(0.06, BLUE, skinned), skinned)
    times = file.add("f", [0.0, 1.0, 3.0], 5126, "SCALAR")
    places = file.add("f", [0.3, 0.3, 0.0, 0.5, 0.5, 0.1, 0.0, -0.4, 0.0], 5126, "VEC3")
    animation = file.json["animations"][0]
    animation["samplers"].append({"input": times, "output": places})
    animation["channels"].append({"sampler": len(animation["samplers"]) - 1,
                                  "target": {"node": flying, "path": "translation"}})
    return file.save(path)


def write_source(name, values, kind, params):
    array = "Name_array" if kind == "name" else "float_array"
    width = 16 if kind == "float4x4" else len(params)
    fields = "".join(f'<param name="{param}" type="{kind}"/>' for param in params)
    text = " ".join(map(str, values))
    return (f'<source id="{name}"><{array} id="{name}-a" count="{len(values)}">{text}</{array}><technique_common>'
            f'<accessor source="#{name}-a" count="{len(values) // width}" stride="{width}">{fields}</accessor>'
            '</technique_common></source>')


def write_skin(gltf, attributes, mesh, skin):
    names = [gltf.json["nodes"][joint]["name"] for joint in skin["joints"]]
    matrices = gltf.read(skin["inverseBindMatrices"])
    rows = [matrices[16 * j + 4 * c + r] for j in range(len(names)) for r in range(4) for c in range(4)]
    joints, weights = gltf.read(attributes["JOINTS_0"]), gltf.read(attributes["WEIGHTS_0"])
    pairs = " ".join(f"{joint} {k}" for k, joint in enumerate(joints))
    inputs = '<input semantic="JOINT" source="#skin-j" offset="0"/><input semantic="WEIGHT" source="#skin-w" offset="1"/>'
    return (f'<library_controllers><controller id="skin"><skin source="#mesh{mesh}"><bind_shape_matrix>'
              '1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>'
            + write_source("skin-j", names, "name", ["JOINT"])
            + write_source("skin-b", rows, "float4x4", ["TRANSFORM"])
            + write_source("skin-w", weights, "float", ["WEIGHT"])
            + '<joints><input semantic="JOINT" source="#skin-j"/><input semantic="INV_BIND_MATRIX" source="#skin-b"/>'
              f'</joints><vertex_weights count="{len(joints) // 4}">{inputs}<vcount>{"4 " * (len(joints) // 4)}</vcount>'
              f'<v>{pairs}</v></vertex_weights></skin></controller></library_controllers>')


def make_collada():
    """The same file as .dae, without its animation."""
    gltf = Gltf(make_file(False))
    nodes, materials, geometries, skins = gltf.json["nodes"], "", "", ""
    for m, mesh in enumerate(gltf.json["meshes"]):
        primitive = mesh["primitives"][0]
        material = gltf.json.get("materials", [])[primitive["material"]] if "material" in primitive else {}
        color = material.get("pbrMetallicRoughness", {}).get("baseColorFactor", [1, 1, 1, 1])
        attributes, corners = primitive["attributes"], gltf.read(primitive["indices"])
        materials += (f'<effect id="look{m}"><profile_COMMON><technique sid="t"><lambert><diffuse><color>'
                      f'{" ".join(map(str, color))}</color></diffuse></lambert></technique></profile_COMMON></effect>')
        inputs = "".join(f'<input semantic="{a}" source="#mesh{m}-{b}"{c}/>' for a, b, c in (
            ("VERTEX", "v", ' offset="0"'), ("NORMAL", "n", ' offset="0"')))
        geometries += (f'<geometry id="mesh{m}"><mesh>'
                       + write_source(f"mesh{m}-p", gltf.read(attributes["POSITION"]), "float", "XYZ")
                       + write_source(f"mesh{m}-n", gltf.read(attributes["NORMAL"]), "float", "XYZ")
                       + f'<vertices id="mesh{m}-v"><input semantic="POSITION" source="#mesh{m}-p"/></vertices><triangles '
                         f'count="{len(corners) // 3}" material="own">{inputs}<p>{" ".join(map(str, corners))}</p>'
                         '</triangles></mesh></geometry>')
    looks = "".join(f'<material id="paint{m}"><instance_effect url="#look{m}"/></material>'
                    for m in range(len(gltf.json["meshes"])))

    def write_node(index):
        nonlocal skins
        node, shown = nodes[index], ""
        if "mesh" in node:
            mesh = node["mesh"]
            kind, url = ("controller", "skin") if "skin" in node else ("geometry", f"mesh{mesh}")
            if "skin" in node:
                attributes = gltf.json["meshes"][mesh]["primitives"][0]["attributes"]
                skins += write_skin(gltf, attributes, mesh, gltf.json["skins"][node["skin"]])
            shown = (f'<instance_{kind} url="#{url}"><bind_material><technique_common><instance_material symbol="own" '
                     f'target="#paint{mesh}"/></technique_common></bind_material></instance_{kind}>')
        matrix = " ".join(str(x) for row in gltf.get_local(index) for x in row)
        name = node.get("name", f"node{index}")
        joint = ' type="JOINT"' if index in gltf.json["skins"][0]["joints"] else ""
        return (f'<node id="{name}" sid="{name}" name="{name}"{joint}><matrix sid="transform">{matrix}</matrix>{shown}'
                + "".join(map(write_node, node.get("children", []))) + "</node>")

    tree = "".join(map(write_node, gltf.json["scenes"][0]["nodes"]))
    path = cli.WORK / "props.dae"
    path.write_text('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
                    f'<asset><up_axis>Y_UP</up_axis></asset><library_effects>{materials}</library_effects>'
                    f'<library_materials>{looks}</library_materials><library_geometries>{geometries}'
                    f'</library_geometries>{skins}<library_visual_scenes><visual_scene id="scene">{tree}</visual_scene>'
                    '</library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>')
    return path


def count(picture, is_it):
    return sum(is_it(*picture.get(x, y)[:3]) for y in range(picture.height) for x in range(picture.width))


def is_red(r, g, b):
    return r > 90 and g < r / 2 and b < r / 2


def is_blue(r, g, b):
    return b > 90 and r < b / 2 and g < 0.7 * b


def check_alike(mine, other, what):
    """Two pictures of 320 by 240 pixels, but for the edges."""
    differing = sum(max(abs(a - b) for a, b in zip(mine.get(x, y), other.get(x, y))) > 24
                    for y in range(240) for x in range(320))
    check(differing < 0.004 * 320 * 240, f"{differing} pixels differ from {what}")


@case(["--frame", 0], ["--frame", 37], ["--frame", 88], ["--rotate", "forearm=0,0,1,70"],
      ["--frame", 37, "--compare"], ["--frame", 37, "--frame-all"])
def drawn_where_they_are(options):
    pictures = []
    for skinned in (False, True):
        out = cli.WORK / "props.png"
        run("render", make_file(skinned), "-o", out, "--volume", "none", "--view", "front",
            "--size", "320x240", *options)
        pictures.append(Picture(out))
    mine, other = pictures
    for is_it in (is_red, is_blue):
        check(count(mine, is_it) > 60, f"{count(mine, is_it)} pixels of a box")
    check_alike(mine, other, "the skinned boxes")


@case([], ["--rotate", "forearm=0,0,1,70"])
def drawn_of_collada_too(turn):
    still = edit_gltf(make_file(False), lambda document: document.pop("animations"), cli.WORK / "still.glb")
    pictures = []
    for path in (still, make_collada()):
        out = cli.WORK / "collada.png"
        _, err = run("render", path, "-o", out, "--volume", "none", "--view", "front", "--size", "320x240", *turn)
        pictures.append(Picture(out))
    check_equal(err, f"turgor: {path}: warning: 2 meshes have no skin: pictures show them, files leave them out\n",
                "standard error")
    mine, other = pictures
    for is_it in (is_red, is_blue):
        check(count(other, is_it) > 60, f"{count(other, is_it)} pixels of a box")
    check_alike(mine, other, "the glTF")
    check_equal(run_json("info", path)["unskinnedMeshes"], 2, "what info tells")
    text, _ = run("bake", path, "-o", cli.WORK / "collada.glb")
    check("2 meshes without a skin left out: a glTF's are carried over" in text, text)


def make_crowd(least=0.0):
    """A fan of 3 000 triangles, 24 of it on the forearm and beside the arm, some mirrored, the first one of a size that
    is not to be seen."""
    path = cli.WORK / f"crowd_{least}.glb"
    if path.exists():
        return path
    file = Editor(model("arm"))
    forearm = next(n for n in file.json["skins"][0]["joints"] if file.json["nodes"][n]["name"] == "forearm")
    rim = [x for i in range(3001) for x in (math.cos(i / 3000 * 6.28), math.sin(i / 3000 * 6.28), math.sin(i / 300) / 9)]
    corners = [k for i in range(3000) for k in (0, i + 1, i + 2)]
    mesh = file.append("meshes", {"primitives": [{
        "attributes": {"POSITION": file.add("f", [0.0, 0.0, 1.0] + rim, 5126, "VEC3")},
        "indices": file.add("H", corners, 5123, "SCALAR"),
        "material": file.append("materials", {"pbrMetallicRoughness": {"baseColorFactor": RED}})}]})
    for i in range(24):
        side = -1 if i % 3 == 0 else 1
        node = {"translation": [0.07 * (i % 8) - 0.2, 0.08 * (i // 8), 0.1], "scale": [0.03 * side, 0.03, 0.02],
                "rotation": [math.sin(i), 0.0, 0.0, math.cos(i)]}
        if i == 0:
            node["scale"] = [least] * 3
        file.hang(forearm if i % 2 else None, node, mesh, False)
    return file.save(path)


@case((0.0, "--frame", 0), (0.0, "--frame", 37), (1e-7, "--frame", 0), (0.0, "--rotate", "forearm=0,0,1,70"))
def drawn_alike_where_they_share_a_mesh(options):
    """Copies would unfold too far; those who allow them get the same picture."""
    least, *options = options
    pictures = []
    for more in ([], ["--max-unfolding", 10000]):
        out = cli.WORK / "crowd.png"
        run("render", make_crowd(least), "-o", out, "--volume", "none", "--view", "front", "--size", "320x240",
            *options, *more)
        pictures.append(Picture(out))
    check(count(pictures[0], is_red) > 500, f"{count(pictures[0], is_red)} pixels of the fans")
    check_alike(*pictures, "the copies")


@case()
def too_many_to_draw():
    def multiply(document):
        first = next(n for n in document["nodes"] if n.get("mesh") == len(document["meshes"]) - 1)
        document["nodes"] += [dict(first)] * 700
        document["scenes"][0]["nodes"] += range(len(document["nodes"]) - 700, len(document["nodes"]))

    path = edit_gltf(make_crowd(), multiply, cli.WORK / "too_many.glb")
    err = cli.run_failing(path, "render", path, "-o", cli.WORK / "never.png")
    check("nodes without a skin show more than 2000000 vertices, too many to draw; --max-unfolding" in err, err)


@case()
def drawn_pale_beside_values():
    out = cli.WORK / "values.png"
    run("render", make_file(False), "-o", out, "--show", "displacement", "--frame", 37, "--size", "320x240")
    picture = Picture(out)
    check_equal(count(picture, is_red), 0, "pixels of its own colour")  # the scale has blue ones


@case()
def not_measured_and_told():
    path = make_file(False)
    plain, measured = run_json("measure", model("arm"), "--fps", 6), run_json("measure", path, "--fps", 6)
    check_equal(measured["unskinnedMeshes"], 2, "meshes without a skin")
    check_equal(measured["perFrame"], plain["perFrame"], "volumes")
    check("unskinnedMeshes" not in plain, "the arm has none")
    check("2 meshes, not measured" in run("measure", path, "--fps", 6)[0], "the text does not say so")
    check_equal(run_json("info", path)["unskinnedMeshes"], 2, "what info tells")
    check("2 without a skin" in run("info", path)[0], "the text of info")


@case(".glb", ".gltf", ".pc2", ".usda")
def baked_with_their_motion(ending):
    out = cli.WORK / f"baked{ending}"
    text, _ = run("bake", make_file(False), "-o", out, "--fps", 6)
    if ending in (".pc2", ".usda"):
        check("2 meshes without a skin left out: .glb and .gltf carry them over" in text, text)
        return
    check("2 meshes without a skin carried over, and their animation" in text, text)
    gltf, source = Gltf(out), Gltf(make_file(False))
    for name in ("held", "flying"):
        node = next(n for n in gltf.json["nodes"] if n.get("name") == name)
        old = next(n for n in source.json["nodes"] if n.get("name") == name)
        mesh, before = gltf.json["meshes"][node["mesh"]], source.json["meshes"][old["mesh"]]
        check_equal(gltf.read(mesh["primitives"][0]["attributes"]["POSITION"]),
                    source.read(before["primitives"][0]["attributes"]["POSITION"]), f"places of {name}")
        check("targets" not in mesh["primitives"][0], f"{name} has frames")
    targets = {gltf.json["nodes"][c["target"]["node"]].get("name")
               for c in gltf.json["animations"][0]["channels"] if c["target"]["path"] != "weights"}
    check({"flying", "forearm"} <= targets, f"what moves: {targets}")


if __name__ == "__main__":
    cli.main()
