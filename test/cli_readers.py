# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Readers of our own for what the program writes, and skinning and volumes in plain Python."""

import array
import base64
import json
import math
import struct
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

import cli_helper as cli
from cli_helper import check, check_equal, run


# ---- files ---------------------------------------------------------------------------------------


class Gltf:
    TYPES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
    WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

    def __init__(self, path):
        data = Path(path).read_bytes()
        if data[:4] == b"glTF":
            version, size, json_size = struct.unpack_from("<III", data, 4)
            check(version == 2 and size == len(data), f"{path}: GLB of {size} bytes in {len(data)}")
            self.json = json.loads(data[20:20 + json_size])
            self.binary = data[28 + json_size:]
        else:
            self.json = json.loads(data)
            uri = self.json["buffers"][0]["uri"]
            self.binary = base64.b64decode(uri.split(",", 1)[1])

    def read_view(self, view, offset, component, width, count):
        view = self.json["bufferViews"][view]
        size = struct.calcsize(component) * width
        stride = view.get("byteStride", size)
        at = view.get("byteOffset", 0) + offset
        if stride == size:
            return list(struct.unpack_from(f"<{count * width}{component}", self.binary, at))
        return [x for i in range(count)
                for x in struct.unpack_from(f"<{width}{component}", self.binary, at + i * stride)]

    def read(self, index):
        """All numbers of an accessor in one list."""
        accessor = self.json["accessors"][index]
        component = self.TYPES[accessor["componentType"]]
        width, count = self.WIDTHS[accessor["type"]], accessor["count"]
        values = [0] * (width * count)
        if "bufferView" in accessor:
            values = self.read_view(accessor["bufferView"], accessor.get("byteOffset", 0),
                                    component, width, count)
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            places, news = sparse["indices"], sparse["values"]
            indices = self.read_view(places["bufferView"], places.get("byteOffset", 0),
                                     self.TYPES[places["componentType"]], 1, sparse["count"])
            replaced = self.read_view(news["bufferView"], news.get("byteOffset", 0), component,
                                      width, sparse["count"])
            for i, at in enumerate(indices):
                values[at * width:(at + 1) * width] = replaced[i * width:(i + 1) * width]
        if accessor.get("normalized"):
            values = [x / {"B": 255, "H": 65535}[component] for x in values]
        return values

    def get_local(self, index):
        node = self.json["nodes"][index]
        if "matrix" in node:
            return [[node["matrix"][4 * c + r] for c in range(4)] for r in range(4)]
        matrix = quat_matrix(node.get("rotation", [0, 0, 0, 1]))
        for r in range(3):
            matrix[r] = [matrix[r][c] * node.get("scale", [1, 1, 1])[c] for c in range(3)]
            matrix[r].append(node.get("translation", [0, 0, 0])[r])
        return matrix[:3] + [[0, 0, 0, 1]]

    def get_parents(self):
        return {child: n for n, node in enumerate(self.json["nodes"])
                for child in node.get("children", [])}

    def get_world(self, index):
        parents = self.get_parents()
        matrix = self.get_local(index)
        while index in parents:
            index = parents[index]
            matrix = multiply(self.get_local(index), matrix)
        return matrix

    def get_parts(self, wanted):
        """(node, primitive) for each vertex range: a shared accessor counts once."""
        seen = set()
        for n, node in enumerate(self.json["nodes"]):
            if "mesh" not in node or not wanted(node):
                continue
            for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
                key = (n, primitive["attributes"]["POSITION"])
                if key not in seen:
                    seen.add(key)
                    yield n, primitive

    def read_skin_positions(self):
        """Bind positions of all skinned vertices, in file order."""
        return [x for _, p in self.get_parts(lambda node: "skin" in node)
                for x in self.read(p["attributes"]["POSITION"])]

    def read_skin_triangles(self):
        """Triangles over those vertices. The models share no accessors, so this need not either."""
        first, triangles = 0, []
        for _, primitive in self.get_parts(lambda node: "skin" in node):
            count = self.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
            indices = self.read(primitive["indices"]) if "indices" in primitive else range(count)
            triangles += [first + i for i in indices]
            first += count
        return triangles


def write_glb(path, document, binary):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return path


def edit_gltf(path, edit, target):
    """A copy of a GLB whose JSON has been changed."""
    gltf = Gltf(path)
    edit(gltf.json)
    return write_glb(target, gltf.json, gltf.binary)


def read_pc2(path, first=0):
    """Frames, each a flat array of floats."""
    data = Path(path).read_bytes()
    name, version, points, start_frame, rate, samples = struct.unpack_from("<12siiffi", data)
    check_equal((name, version, start_frame, rate), (b"POINTCACHE2\0", 1, first, 1.0), "PC2 header")
    check_equal(len(data), 32 + 12 * points * samples, "size of the PC2")
    floats = array.array("f", data[32:])
    if sys.byteorder == "big":
        floats.byteswap()
    return [floats[3 * points * i:3 * points * (i + 1)] for i in range(samples)]


def read_mdd(path):
    """Times and frames."""
    data = Path(path).read_bytes()
    samples, points = struct.unpack_from(">ii", data)
    check_equal(len(data), 8 + 4 * samples + 12 * points * samples, "size of the MDD")
    floats = array.array("f", data[8:])
    if sys.byteorder == "little":
        floats.byteswap()
    times, floats = floats[:samples], floats[samples:]
    return list(times), [floats[3 * points * i:3 * points * (i + 1)] for i in range(samples)]


def read_obj(path):
    """Positions as floats, and faces."""
    positions, faces = array.array("f"), []
    for line in Path(path).read_text().splitlines():
        words = line.split()
        if words and words[0] == "v":
            positions.extend(map(float, words[1:4]))
        elif words and words[0] == "f":
            faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return positions, faces


def read_baked_gltf(path, numbers=None):
    """Base positions and frames as a viewer shows them: base plus offsets, in world space.
    @param numbers of the frames that are read; None: all
    """
    gltf = Gltf(path)
    base, frames = [], []
    for n, primitive in gltf.get_parts(lambda node: "targets" in
                                       gltf.json["meshes"][node["mesh"]]["primitives"][0]):
        place = gltf.get_world(n)
        rest = gltf.read(primitive["attributes"]["POSITION"])
        base += rest
        targets = primitive["targets"]
        targets = targets if numbers is None else [targets[i] for i in numbers]
        frames = frames or [[] for _ in targets]
        for i, target in enumerate(targets):
            offsets = gltf.read(target["POSITION"])
            frames[i] += transform(place, [a + b for a, b in zip(rest, offsets)])
    return gltf, base, frames


def check_png(path, width, height):
    data = Path(path).read_bytes()
    check_equal(data[:8], b"\x89PNG\r\n\x1a\n", "PNG signature")
    at, pixels, chunks = 8, b"", []
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        check_equal(struct.unpack_from(">I", data, at + 8 + size)[0], zlib.crc32(kind + body),
                    f"CRC of {kind}")
        chunks.append(kind)
        pixels += body if kind == b"IDAT" else b""
        at += 12 + size
    check_equal(struct.unpack_from(">II", data, 16), (width, height), "PNG size")
    check_equal(chunks[-1], b"IEND", "last PNG chunk")
    check_equal(len(zlib.decompress(pixels)) % height, 0, "bytes of the PNG past whole rows")


def check_svg(path):
    root = ElementTree.parse(path).getroot()
    check_equal(root.tag, "{http://www.w3.org/2000/svg}svg", "root of the SVG")
    return "".join(root.itertext())


# ---- frames --------------------------------------------------------------------------------------


def bake_pc2(path, *options, first=0):
    target = cli.WORK / "frames.pc2"
    out, _ = run("bake", path, "-o", target, *options)
    frames = read_pc2(target, first)
    told = "1 frame" if len(frames) == 1 else f"{len(frames)} frames"
    check(f"{told} of {len(frames[0]) // 3} vertices" in out, f"printed {out!r}")
    return frames


def pose_pc2(path, *options):
    target = cli.WORK / "pose.pc2"
    run("pose", path, "-o", target, *options)
    frame, = read_pc2(target)
    return frame


# ---- geometry ------------------------------------------------------------------------------------


def multiply(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(4)) for c in range(4)] for r in range(4)]


def quat_matrix(q):
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def turn_matrix(axis, degrees, origin):
    """A turn about an axis through a point."""
    length = math.sqrt(sum(a * a for a in axis))
    half = math.radians(degrees) / 2
    rotation = quat_matrix([a / length * math.sin(half) for a in axis] + [math.cos(half)])
    moved = [sum(rotation[r][c] * origin[c] for c in range(3)) for r in range(3)]
    return [rotation[r] + [origin[r] - moved[r]] for r in range(3)] + [[0, 0, 0, 1]]


def transform(m, positions):
    out = []
    for i in range(0, len(positions), 3):
        x, y, z = positions[i:i + 3]
        out += [row[0] * x + row[1] * y + row[2] * z + row[3] for row in m[:3]]
    return out


def invert_rigid(m):
    """Of a rotation and a translation."""
    rows = [[m[c][r] for c in range(3)] for r in range(3)]
    return [row + [-sum(row[k] * m[k][3] for k in range(3))] for row in rows] + [[0, 0, 0, 1]]


IDENTITY = [[float(r == c) for c in range(4)] for r in range(4)]


def skin_linearly(path, turns):
    """The bind pose with joints turned by name, blended linearly, from the file's own weights."""
    gltf = Gltf(path)
    nodes, skin = gltf.json["nodes"], gltf.json["skins"][0]
    parents = gltf.get_parents()
    matrices = gltf.read(skin["inverseBindMatrices"])
    origins = {}
    for i, joint in enumerate(skin["joints"]):
        m = matrices[16 * i:16 * i + 16]
        rest = invert_rigid([[m[4 * c + r] for c in range(4)] for r in range(4)])
        origins[joint] = [rest[r][3] for r in range(3)]

    def get_motion(joint):
        own = IDENTITY
        for name, axis, degrees in turns:
            if nodes[joint]["name"] == name:
                own = multiply(turn_matrix(axis, degrees, origins[joint]), own)
        above = parents.get(joint)
        return multiply(get_motion(above), own) if above in origins else own

    motions = [get_motion(joint) for joint in skin["joints"]]
    result = []
    for _, primitive in gltf.get_parts(lambda node: "skin" in node):
        attributes = primitive["attributes"]
        positions = gltf.read(attributes["POSITION"])
        joints, weights = gltf.read(attributes["JOINTS_0"]), gltf.read(attributes["WEIGHTS_0"])
        check("JOINTS_1" not in attributes, "more than four influences, which this cannot blend")
        for v in range(len(positions) // 3):
            point = [0.0, 0.0, 0.0]
            for k in range(4 * v, 4 * v + 4):
                if weights[k] > 0:
                    moved = transform(motions[joints[k]], positions[3 * v:3 * v + 3])
                    point = [p + weights[k] * m for p, m in zip(point, moved)]
            result += point
    return result


def get_diagonal(positions):
    return math.sqrt(sum((max(positions[c::3]) - min(positions[c::3])) ** 2 for c in range(3)))


def get_distance(a, b):
    check_equal(len(a), len(b), "number of coordinates")
    return max(abs(x - y) for x, y in zip(a, b))


def check_close(found, wanted, fraction, what):
    """Positions, to a fraction of the bounding diagonal."""
    off = get_distance(found, wanted) / get_diagonal(wanted)
    check(off <= fraction, f"{what} is off by {off:g} of the diagonal")


def get_volume(p, triangles):
    total = 0.0
    for i in range(0, len(triangles), 3):
        a, b, c = 3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]
        total += (p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1])
                  + p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2])
                  + p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]))
    return total / 6


# ---- small files made by hand ---------------------------------------------------------------------


def pack_glb(path, document, binary):
    binary += bytes(-len(binary) % 4)
    document["buffers"] = [{"byteLength": len(binary)}]
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<IIIII", 0x46546C67, 2, 28 + len(text) + len(binary), len(text), 0x4E4F534A)
                     + text + struct.pack("<II", len(binary), 0x004E4942) + binary)
    return path


def strip(count):
    """A strip of triangles on one joint: a document without nodes, and its bytes."""
    pieces = [b"".join(struct.pack("<fff", math.cos(i), math.sin(1.3 * i), 0.1 * i) for i in range(count)),
              bytes(4 * count), struct.pack("<ffff", 1, 0, 0, 0) * count,
              b"".join(struct.pack("<HHH", i, i + 1, i + 2) for i in range(count - 2))]
    binary, views = b"", []
    for piece in pieces:
        binary += bytes(-len(binary) % 4)
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(piece)})
        binary += piece
    kinds = [(5126, count, "VEC3"), (5121, count, "VEC4"), (5126, count, "VEC4"), (5123, 3 * (count - 2), "SCALAR")]
    accessors = [{"bufferView": i, "componentType": kind, "count": size, "type": shape}
                 for i, (kind, size, shape) in enumerate(kinds)]
    accessors[0].update(min=[-1, -1, 0], max=[1, 1, 0.1 * count])
    primitive = {"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3}
    return {"asset": {"version": "2.0"}, "bufferViews": views, "accessors": accessors,
            "meshes": [{"primitives": [primitive]}], "scene": 0}, binary
