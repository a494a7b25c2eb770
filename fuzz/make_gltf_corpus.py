#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Write the seeds of fuzz_gltf and fuzz_objects: small files that between them use every feature of the
reader.

Run it from anywhere; it fills corpus_gltf/ and corpus_objects/ beside itself. Needs nothing but Python.
"""

import base64
import json
import pathlib
import struct

COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
CODES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}


class Maker:
    """A document that grows with its binary buffer."""

    def __init__(self):
        self.document = {"asset": {"version": "2.0"}, "buffers": [], "bufferViews": [], "accessors": []}
        self.binary = bytearray()

    def view(self, data, **extra):
        self.binary += bytes(-len(self.binary) % 4)
        offset = len(self.binary)
        self.binary += data
        self.document["bufferViews"].append(
            {"buffer": 0, "byteOffset": offset, "byteLength": len(data), **extra})
        return len(self.document["bufferViews"]) - 1

    def accessor(self, values, kind, component=5126, **extra):
        view = self.view(struct.pack("<%d%s" % (len(values), CODES[component]), *values))
        return self.raw_accessor(len(values) // COMPONENTS[kind], kind, component, bufferView=view, **extra)

    def raw_accessor(self, count, kind, component=5126, **extra):
        self.document["accessors"].append(
            {"count": count, "type": kind, "componentType": component, **extra})
        return len(self.document["accessors"]) - 1

    def glb(self):
        self.document["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.binary) + bytes(-len(self.binary) % 4)
        return (struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A) + text
                + struct.pack("<II", len(data), 0x004E4942) + data)

    def gltf(self):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()
        self.document["buffers"] = [{"byteLength": len(self.binary), "uri": uri}]
        return json.dumps(self.document, separators=(",", ":")).encode()


def arm():
    """Two triangles on two joints."""
    maker = Maker()
    attributes = {
        "POSITION": maker.accessor([0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0], "VEC3"),
        "JOINTS_0": maker.accessor([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], "VEC4", 5121),
        "WEIGHTS_0": maker.accessor([1, 0, 0, 0, .25, .75, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], "VEC4"),
    }
    identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    bind = maker.accessor(identity + identity[:13] + [-1, 0, 1], "MAT4")
    indices = maker.accessor([0, 1, 2, 2, 1, 3], "SCALAR", 5123)
    maker.document.update(
        scene=0, scenes=[{"nodes": [0, 2]}],
        nodes=[{"name": "root", "children": [1]}, {"name": "tip", "translation": [0, 1, 0]},
               {"mesh": 0, "skin": 0}],
        skins=[{"joints": [0, 1], "inverseBindMatrices": bind}],
        meshes=[{"primitives": [{"attributes": attributes, "indices": indices}]}])
    return maker


def animated():
    """Every interpolation, morph weights, a sparse target."""
    maker = arm()
    times = maker.accessor([0, 1], "SCALAR")
    sparse = maker.raw_accessor(4, "VEC3", sparse={
        "count": 1, "indices": {"bufferView": maker.view(b"\2"), "componentType": 5121},
        "values": {"bufferView": maker.view(struct.pack("<3f", 1, 2, 3))}})
    mesh = maker.document["meshes"][0]
    mesh["primitives"][0]["targets"] = [{"POSITION": sparse}]
    mesh["weights"] = [0.5]
    mesh["extras"] = {"targetNames": ["smile"]}
    maker.document["animations"] = [{
        "name": "wave",
        "samplers": [
            {"input": times, "output": maker.accessor([0, 0, 0, 1, 2, 3], "VEC3")},
            {"input": times, "interpolation": "STEP",
             "output": maker.accessor([0, 0, 0, 32767, 0, 0, 32767, 0], "VEC4", 5122, normalized=True)},
            {"input": times, "interpolation": "CUBICSPLINE",
             "output": maker.accessor([0, 0, 1, 1, 1, 0], "SCALAR")}],
        "channels": [
            {"sampler": 0, "target": {"node": 0, "path": "translation"}},
            {"sampler": 1, "target": {"node": 1, "path": "rotation"}},
            {"sampler": 2, "target": {"node": 2, "path": "weights"}}]}]
    return maker


def quantized():
    """Small integers, interleaved, a strip, two sets of weights, two skins."""
    maker = arm()
    rows = b"".join(struct.pack("<3hh3bb", x, y, 0, 0, 0, 0, 127, 0)
                    for x, y in ((0, 0), (100, 0), (0, 200), (100, 200)))
    view = maker.view(rows, byteStride=12)
    attributes = dict(maker.document["meshes"][0]["primitives"][0]["attributes"])
    attributes["POSITION"] = maker.raw_accessor(4, "VEC3", 5122, bufferView=view)
    attributes["NORMAL"] = maker.raw_accessor(4, "VEC3", 5120, bufferView=view, byteOffset=8, normalized=True)
    attributes["TEXCOORD_0"] = maker.accessor([0, 0, 255, 0, 0, 255, 255, 255], "VEC2", 5121, normalized=True)
    attributes["JOINTS_1"] = attributes["JOINTS_0"]
    attributes["WEIGHTS_1"] = maker.accessor([0, 255, 0, 0] * 4, "VEC4", 5121, normalized=True)
    maker.document["meshes"][0]["primitives"].append({"attributes": attributes, "mode": 5, "material": 0})
    maker.document["meshes"][0]["primitives"].append({"attributes": attributes, "mode": 6})
    maker.document["skins"].append({"joints": [1, 0]})
    maker.document["nodes"].append({"mesh": 0, "skin": 1})
    maker.document["scenes"][0]["nodes"].append(3)
    maker.document["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}]
    maker.document["images"] = [{"bufferView": 0, "mimeType": "image/png"}]
    maker.document["extensionsRequired"] = ["KHR_mesh_quantization"]
    return maker


def unskinned():
    """A mesh that no joint moves, under a matrix."""
    maker = arm()
    maker.document["nodes"][2].pop("skin")
    maker.document["nodes"][0]["matrix"] = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1]
    return maker


def crowd():
    """Three nodes that show the mesh under one skin, and one under another."""
    maker = arm()
    maker.document["skins"].append({"joints": [1, 0]})
    maker.document["nodes"] += [{"name": "again", "mesh": 0, "skin": 0}, {"mesh": 0, "skin": 1},
                                {"mesh": 0, "skin": 0, "translation": [1, 0, 0]}]
    maker.document["scenes"][0]["nodes"] += [3, 4, 5]
    return maker


def boned():
    """A skin, and two closed bones beside it, one of them turned."""
    maker = arm()
    corners = [0, 0, 0, .1, 0, 0, 0, .2, 0, 0, 0, .1]
    attributes = {"POSITION": maker.accessor(corners, "VEC3")}
    indices = maker.accessor([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2], "SCALAR", 5121)
    maker.document["meshes"].append({"primitives": [{"attributes": attributes, "indices": indices}]})
    maker.document["nodes"] += [{"name": "bone_root", "mesh": 1},
                                {"name": "tip_bone", "mesh": 1, "rotation": [0, 0, 1, 0]}]
    maker.document["scenes"][0]["nodes"] += [3, 4]
    return maker


def write(name, files):
    folder = pathlib.Path(__file__).parent / name
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        assert len(data) < 4096, name
        (folder / name).write_bytes(data)


def main():
    files = {"arm.glb": arm().glb(), "animated.glb": animated().glb(), "quantized.glb": quantized().glb(),
             "unskinned.gltf": unskinned().gltf(), "animated.gltf": animated().gltf(), "crowd.glb": crowd().glb()}
    write("corpus_gltf", files)
    write("corpus_whole", {"crowd.glb": crowd().glb()})
    write("corpus_objects", {"boned.glb": boned().glb(), "boned.gltf": boned().gltf(),
                             "unskinned.gltf": unskinned().gltf()})


if __name__ == "__main__":
    main()
