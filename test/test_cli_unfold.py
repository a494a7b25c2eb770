# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Small files that unfold to large scenes, from outside: test_cli_unfold.py PROGRAM ASSETS_DIR

Time and memory stay in proportion to the file; meshes that nodes share are held once.
"""

import json
import math
import os
import struct
import subprocess
import time

import cli_helper as cli
from cli_helper import case, check, check_equal, model, run, run_failing, start
from cli_readers import Gltf, edit_gltf, pack_glb, strip


def make_unfolding(kind):
    document, binary = strip(100 if "instances" in kind else 24)
    primitive = document["meshes"][0]["primitives"][0]
    nodes, joints = [{"name": "root"}], [0]
    if kind == "skinned instances":
        nodes += [{"mesh": 0, "skin": 0}] * 20000
    elif kind == "plain instances":
        nodes += [{"mesh": 0}] * 20000
    elif kind == "primitives":
        nodes.append({"mesh": 0, "skin": 0})
        document["meshes"][0]["primitives"] = [primitive] * 50000
    elif kind == "primitives with vertices of their own":
        nodes.append({"mesh": 0, "skin": 0})
        document["accessors"] += [dict(document["accessors"][0]) for _ in range(50000)]
        document["meshes"][0]["primitives"] = [
            {"attributes": dict(primitive["attributes"], POSITION=4 + i), "indices": 3} for i in range(50000)]
    elif kind == "chain of joints":
        nodes = [{"children": [i + 1], "translation": [0, 0.1, 0]} for i in range(64999)] + [{}]
        joints = list(range(65000))
        nodes.append({"mesh": 0, "skin": 0})
    elif kind == "joints at the end of a chain":
        nodes = [{"children": [i + 1]} for i in range(29999)] + [{"children": list(range(30000, 60000))}]
        nodes += [{} for _ in range(30000)] + [{"mesh": 0, "skin": 0}]
        joints = list(range(30000, 60000))
    elif kind == "tracks":
        times = struct.pack("<20000f", *range(20000))
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(times)})
        document["accessors"] += [{"bufferView": 4, "componentType": 5126, "count": 20000, "type": "SCALAR",
                                   "min": [0], "max": [19999]},
                                  {"componentType": 5126, "count": 20000, "type": "VEC3"}]
        binary += times
        nodes.append({"mesh": 0, "skin": 0})
        document["animations"] = [{"samplers": [{"input": 4, "output": 5}] * 5000, "channels": [
            {"sampler": i, "target": {"node": 0, "path": "translation"}} for i in range(5000)]}]
    elif kind in ("clips and nodes", "clip that hardly ends"):
        last = 1000 if kind == "clips and nodes" else 1e30
        keys = struct.pack("<10f", 0, last, 0, 0, 0, 1, 0, 0, 0.6, 0.8)
        document["bufferViews"] += [{"buffer": 0, "byteOffset": len(binary), "byteLength": 8},
                                    {"buffer": 0, "byteOffset": len(binary) + 8, "byteLength": 32}]
        document["accessors"] += [{"bufferView": 4, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0],
                                   "max": [last]}, {"bufferView": 5, "componentType": 5126, "count": 2, "type": "VEC4"}]
        binary += keys
        nodes += [{"mesh": 0, "skin": 0}] + [{}] * (20000 if kind == "clips and nodes" else 0)
        document["animations"] = [{"samplers": [{"input": 4, "output": 5}], "channels": [
            {"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}] * (2000 if kind == "clips and nodes" else 1)
    elif kind == "empty nodes":
        nodes += [{"mesh": 0, "skin": 0}] + [{}] * 800000
    elif kind == "empty objects":
        nodes.append({"mesh": 0, "skin": 0})
        document["extras"] = [{}] * 1500000
    below = {child for node in nodes for child in node.get("children", [])}
    document["nodes"] = nodes
    document["scenes"] = [{"nodes": [n for n in range(len(nodes)) if n not in below]}]
    if kind != "plain instances":
        document["skins"] = [{"joints": joints}]
    return pack_glb(cli.WORK / f"{kind}.glb".replace(" ", "_"), document, binary)


@case("skinned instances", "plain instances", "primitives", "primitives with vertices of their own",
      "chain of joints", "joints at the end of a chain", "tracks", "clips and nodes", "clip that hardly ends",
      "empty nodes", "empty objects")
def file_that_unfolds(kind):
    """Read in memory of 40 times its size and 50 MB, or refused in one line; soon in either case."""
    status, err = run_within_bar("info", make_unfolding(kind))
    check(status in (0, 1), err)
    if status == 1:
        check("are too many for a file of this size; --max-unfolding allows more" in err, err)


def run_within_bar(verb, path, *more):
    """Status and errors of a run that keeps to 40 times the file's size and 50 MB, and ends soon."""
    size, began = path.stat().st_size, time.monotonic()
    process = start(verb, path, *more, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds, err = time.monotonic() - began, process.stderr.read().decode()
    process.returncode = os.waitstatus_to_exitcode(status)
    if not os.environ.get("TURGOR_SANITIZED"):
        memory, most = usage.ru_maxrss * 1024, 40 * size + 50e6
        check(memory <= most, f"{memory / 1e6:.0f} MB for a file of {size / 1e6:.1f} MB, at most {most / 1e6:.0f}")
        check(seconds < 5, f"{seconds:.1f} s")
    return process.returncode, err


def crowd(name, vertices, count):
    """Nodes that show one strip under one skin."""
    document, binary = strip(vertices)
    document["nodes"] = [{"name": "root"}] + [{"name": f"copy{i}", "mesh": 0, "skin": 0} for i in range(count)]
    document["skins"] = [{"joints": [0]}]
    document["scenes"] = [{"nodes": list(range(count + 1))}]
    return pack_glb(cli.WORK / name, document, binary)


@case((1000, 2000), (24, 20000))
def instances_under_one_skin(sizes):
    """All of them stand where the first one does, so its mesh serves for all."""
    vertices, count = sizes
    path, out = crowd(f"crowd_{count}.glb", vertices, count), cli.WORK / f"crowd_{count}_baked.glb"
    for verb, more in (("info", []), ("pose", ["--frame", 0, "-o", out]), ("bake", ["-o", out])):
        status, err = run_within_bar(verb, path, *more)
        check_equal(status, 0, f"{verb}: {err}")
    info = cli.run_json("info", path, "--json")
    check_equal((info["vertices"], info["triangles"], info["places"]), (vertices, vertices - 2, count - 1), "counts")
    document = Gltf(out).json
    shown = [node["mesh"] for node in document["nodes"] if "mesh" in node]
    check_equal((len(document["meshes"]), shown), (1, [0] * count), "meshes and their nodes")
    check_equal(sum(node.get("name", "").startswith("copy") for node in document["nodes"]), count, "names")


BOX = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
BOX_CORNERS = (0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3)


def boxes(name, count, place, edit=lambda document: None):
    """A box of two units on a side, and nodes that show it; `place` makes one."""
    binary = b"".join(struct.pack("<fff", *p) for p in BOX) + struct.pack("<36H", *BOX_CORNERS)
    document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(count))}],
                "nodes": [dict(place(i), mesh=0) for i in range(count)],
                "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3",
                               "min": [-1, -1, -1], "max": [1, 1, 1]},
                              {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}]}
    edit(document)
    return pack_glb(cli.WORK / name, document, binary)


@case([1000, 1e-4], [300, 1e-8], [3e8, 1], [0, 0])
def instances_whose_first_is_odd(first):
    """Tiny, far or nothing: it takes no digits from the others."""
    at, size = first
    path = boxes("odd.glb", 20000, lambda i: {"translation": [at, 50, 20], "scale": [size] * 3} if i == 0 else
                 {"translation": [3 * (i % 100), 3 * (i // 100), 0]})
    info = cli.run_json("info", path, "--json")
    cli.check_near(info["restVolume"] / (8 * 19999 + 8 * size ** 3), 1, 1e-5, "volume of all boxes")
    check_equal((info["components"], info["places"]), (20000, 19999), "boxes")


@case()
def instances_of_several_meshes():
    """Boxes with normals, a box of its own, and a mesh all of whose faces are points."""
    def edit(document):
        document["accessors"] += [{"componentType": 5126, "count": 8, "type": "VEC3"}]  # nowhere but at zero
        document["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = 0
        document["meshes"] += [{"primitives": [{"attributes": {"POSITION": 2, "NORMAL": 0}, "indices": 1}]},
                               {"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 0}, "indices": 1}]}]
        for i, node in enumerate(document["nodes"]):
            node["mesh"] = 2 if i == 0 else i % 2
    info = cli.run_json("info", boxes("points.glb", 20001, lambda i: {"translation": [3 * i, 0, 0]}, edit), "--json")
    check_equal([info[key] for key in ("vertices", "weldedVertices", "triangles", "degenerateFaces", "components",
                                       "places")], [160008, 90008, 120012, 120000, 10001, 19998], "counts")
    cli.check_near(info["restVolume"], 8 * 10001, 1e-3, "volume")


@case()
def instances_without_a_skin():
    """20 000 boxes, turned, scaled and mirrored: the figures of all, in memory of one."""
    scales = [(-1) ** i * (0.1 + 0.01 * (i % 50)) for i in range(20000)]
    path = boxes("boxes.glb", 20000, lambda i: {
        "translation": [3 * (i % 200), 3 * (i // 200), 0], "scale": [scales[i], 0.5, 0.25],
        "rotation": [0, round(math.sin(i), 3), 0, round(math.cos(i), 3)]})
    status, err = run_within_bar("info", path)
    check_equal(status, 0, err)
    shared, copied = (cli.run_json("info", path, "--json", *more) for more in ([], ["--max-unfolding", 10000]))
    cli.check_near(shared["restVolume"], sum(abs(s) for s in scales), 1e-3, "volume of all boxes")
    cli.check_near(shared["restVolume"], copied["restVolume"], 1e-3, "volume of their copies")
    check_equal((shared.pop("places"), shared["components"], shared["closed"]), (19999, 20000, True), "boxes")
    for figures in (shared, copied):
        figures.pop("restVolume")
    check_equal(shared, copied, "figures of their copies")
    # What gives each of them weights of its own still needs the copies.
    err = run_failing(path, "rig", path, "-o", cli.WORK / "never.glb")
    check("--max-unfolding allows more" in err, err)


def collada(name, points, corners, nodes):
    """A mesh of triangles, and nodes that show it by these transforms."""
    places = " ".join(f"{x:.3f} {y:.3f} {z:.3f}" for x, y, z in points)
    axes = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ")
    shown = "".join(f'<node id="n{i}">{node}<instance_geometry url="#g"/></node>' for i, node in enumerate(nodes))
    path = cli.WORK / name
    path.write_text(
        '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>'
        '<up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" '
        f'count="{3 * len(points)}">{places}</float_array><technique_common><accessor source="#a" '
        f'count="{len(points)}" stride="3">{axes}</accessor></technique_common></source><vertices id="v"><input '
        f'semantic="POSITION" source="#p"/></vertices><triangles count="{len(corners) // 3}"><input semantic="VERTEX" '
        f'source="#v" offset="0"/><p>{" ".join(map(str, corners))}</p></triangles></mesh></geometry>'
        f'</library_geometries><library_visual_scenes><visual_scene id="s">{shown}</visual_scene>'
        '</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>')
    return path


@case((1000, 2000), (24, 20000))
def instances_of_collada(sizes):
    """The importer shares them, too."""
    count, nodes = sizes
    path = collada(f"instances_{nodes}.dae", [(math.cos(i), math.sin(1.3 * i), 0.1 * i) for i in range(count)],
                   [k for i in range(count - 2) for k in (i, i + 1, i + 2)],
                   [f"<translate>{i} 0 0</translate>" for i in range(nodes)])
    status, err = run_within_bar("info", path)
    check_equal(status, 0, err)
    info = cli.run_json("info", path, "--json")
    check_equal((info["vertices"], info["triangles"], info["places"]),
                (count * nodes, (count - 2) * nodes, nodes - 1), "counts")


@case(1, -1)
def instances_of_collada_that_are_mirrored(side):
    """The importer turns the faces of mirrored nodes over, the first or every second one; the figures are those of
    the copies."""
    path = collada("mirrored.dae", BOX, BOX_CORNERS,
                   ["<translate>300 50 20</translate><scale>0.001 0.001 0.001</scale>"] +
                   [f"<translate>{3 * (i % 100)} {3 * (i // 100)} 0</translate><scale>{side * (-1) ** i} 0.5 1</scale>"
                    for i in range(20000)])
    shared, copied = (cli.run_json("info", path, "--json", *more) for more in ([], ["--max-unfolding", 10000]))
    check_equal((shared.pop("places"), shared["reorientedFaces"], copied["reorientedFaces"]), (20000, 0, 0), "faces")
    for info in (shared, copied):
        cli.check_near(info["restVolume"], 4 * 20000, 0.1, "volume of all boxes")


@case()
def instances_that_are_few():
    """Two halves of one mesh close each other: as long as copies are few, they are welded."""
    info = cli.run_json("info", boxes("few.glb", 2, lambda i: {"translation": [0, 0, 2 * i]}), "--json")
    check_equal((info["vertices"], info["weldedVertices"], info["components"], "places" in info), (16, 12, 1, False),
                "two boxes that touch")


@case()
def instance_that_reaches_too_far():
    path = boxes("far.glb", 20000, lambda i: {"scale": [3e38, 3e38, 3e38]} if i == 777 else {})
    err = run_failing(path, "info", path)
    check("reaches past the largest number" in err, err)


def show_again(document):
    """Two more nodes for the arm's mesh; where they are means nothing under a skin."""
    node = next(n for n in document["nodes"] if "mesh" in n)
    for name in ("again", "once more"):
        document["nodes"].append({"name": name, "mesh": node["mesh"], "skin": node["skin"], "translation": [9, 9, 9]})
        document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)


@case()
def instances_deform_as_one():
    """The same frames as the arm without them; written again with all their nodes."""
    path, work = edit_gltf(model("arm"), show_again, cli.WORK / "arms.glb"), cli.WORK
    for source, name in ((model("arm"), "one"), (path, "three")):
        run("bake", source, "-o", work / f"{name}.pc2", "--frames", "0:40")
        run("bake", source, "-o", work / f"{name}.glb", "--frames", "0:40")
    check((work / "one.pc2").read_bytes() == (work / "three.pc2").read_bytes(), "other positions")
    one, three = Gltf(work / "one.glb"), Gltf(work / "three.glb")
    check(one.binary == three.binary, "other frames")
    nodes = [n for n, node in enumerate(three.json["nodes"]) if "mesh" in node]
    check_equal((len(three.json["meshes"]), len(nodes)), (len(one.json["meshes"]), 3), "meshes and nodes")
    check(set(nodes) <= set(three.json["scenes"][0]["nodes"]), "a node is not shown")
    targets = {c["target"]["node"] for c in three.json["animations"][0]["channels"] if c["target"]["path"] == "weights"}
    check_equal(targets, set(nodes), "nodes that the frames move")


@case()
def instances_with_tracks():
    """18 000 nodes whose weights move: time and memory for each of them once."""
    def multiply(document):
        show_again(document)
        document["nodes"] += [dict(document["nodes"][-1]) for _ in range(18000)]
        document["scenes"][0]["nodes"] += range(len(document["nodes"]) - 18000, len(document["nodes"]))

    path, out = edit_gltf(model("arm"), multiply, cli.WORK / "tracks.glb"), cli.WORK / "tracks_out.glb"
    status, err = run_within_bar("correctives", path, "-o", out, "--fps", 4, "--contact", "off")
    check_equal(status, 0, err)
    document = Gltf(out).json
    for animation in document["animations"]:
        moved = [c["target"]["node"] for c in animation["channels"] if c["target"]["path"] == "weights"]
        check_equal((len(moved), len(set(moved))), (18003, 18003), "nodes that the tracks move")
        check_equal(len({c["sampler"] for c in animation["channels"] if c["target"]["path"] == "weights"}), 1, "tracks")


@case((2000, False), (80, True), (500, True))
def instances_in_many_scenes(scenes):
    """3 000 objects below 3 000 nodes in a row, in scenes that show them or do not."""
    count, shows = scenes

    def edit(document):
        show_again(document)
        first = len(document["nodes"])
        document["nodes"] += [dict(document["nodes"][-1]) for _ in range(3000)]
        document["nodes"] += [{"children": [first + 3000 + i + 1]} for i in range(2999)] + [
            {"children": list(range(first, first + 3000))}]
        document["scenes"][0]["nodes"].append(first + 3000)
        document["scenes"] += [{"nodes": [first + 3000 if shows else 0]} for _ in range(count)]

    path, out = edit_gltf(model("arm"), edit, cli.WORK / "scenes.glb"), cli.WORK / "scenes_out.glb"
    out.unlink(missing_ok=True)
    status, err = run_within_bar("bake", path, "-o", out, "--frames", "0:3")
    if count * shows > 250:
        check_equal((status, out.exists()), (1, False), err)
        check("the scenes show baked objects again more than 250000 times" in err and err.count("\n") == 1, err)
        return
    check_equal(status, 0, err)
    document = Gltf(out).json
    shown = [sum("mesh" in document["nodes"][n] for n in scene["nodes"]) for scene in document["scenes"]]
    check_equal(shown[0], 3003, "objects of the scene that opens")
    check_equal(set(shown[1:]), {3000 if shows else shown[1]}, "objects of the others")
    check(shows or shown[1] <= 3, f"{shown[1]} objects where none should be")


@case("rig", "bind", "correctives")
def instances_are_written_again(verb):
    path, out = edit_gltf(model("arm"), show_again, cli.WORK / "arms.glb"), cli.WORK / f"arms_{verb}.glb"
    run(verb, path, *(["--replace"] if verb == "rig" else []), "-o", out)
    document = Gltf(out).json
    nodes = [n for n, node in enumerate(document["nodes"]) if "mesh" in node]
    names = {document["nodes"][n].get("name") for n in nodes}
    check_equal((len(document["meshes"]), len(nodes), {"again", "once more"} <= names), (1, 3, True), "meshes and nodes")
    if verb == "correctives":
        moved = {c["target"]["node"] for a in document["animations"] for c in a["channels"]
                 if c["target"]["path"] == "weights"}
        check_equal(moved, set(nodes), "nodes that the tracks move")
        run("correctives", model("arm"), "-o", cli.WORK / "arm_alone.glb")
        alone = Gltf(cli.WORK / "arm_alone.glb")
        check(alone.binary == Gltf(out).binary, "other targets than for the arm alone")
    check_equal(cli.run_json("info", out, "--json").get("places"), 2 if verb != "correctives" else None, "places")


@case()
def place_by_its_name():
    """Settings may name any of the nodes that show a mesh."""
    path, settings = edit_gltf(model("arm"), show_again, cli.WORK / "arms.glb"), cli.WORK / "named.json"
    for name in ("again", "once more"):
        settings.write_text(json.dumps({"volume": {"paint": name}}))
        run("pose", path, "--frame", 0, "--settings", settings, "-o", cli.WORK / "named.glb")


@case()
def unfolding_for_those_who_mean_it():
    document, binary = strip(100)
    document["nodes"] = [{"name": "root"}] + [{"mesh": 0, "skin": i} for i in range(800)]
    document["skins"] = [{"joints": [0]}] * 800
    document["scenes"] = [{"nodes": list(range(801))}]
    path = pack_glb(cli.WORK / "crowd.glb", document, binary)
    err = run_failing(path, "info", path)
    check("--max-unfolding allows more" in err, err)
    check_equal(cli.run_json("info", path, "--max-unfolding", 5000)["vertices"], 80000, "vertices")


if __name__ == "__main__":
    cli.main()
