# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Baked .usda files from outside: test_cli_usda.py PROGRAM ASSETS_DIR

They are read with a strict parser of the part of the grammar that they use, and hold what the point
cache and the OBJ of the same bake hold.
"""

import re
from array import array

import cli_helper as cli
from cli_helper import asset, case, check, check_equal, model, run, run_failing
from cli_readers import Gltf, check_close, edit_gltf, read_obj, read_pc2

TOKEN = re.compile(r'\s*("[^"\n]*"|-?\d+\.?\d*(?:e[-+]\d+)?|[A-Za-z_][\w:]*(?:\.timeSamples)?|\[\]|[][(){}=:,])')


class Usda:
    """A layer: metadata, and prims by path with their attributes."""

    WIDTHS = {"point3f": 3, "normal3f": 3, "float3": 3, "texCoord2f": 2, "int": 1}

    def __init__(self, path):
        text = path.read_text()
        check(text.startswith("#usda 1.0\n"), f"{path} begins with {text[:20]!r}")
        text = text[len("#usda 1.0\n"):].rstrip()
        self.tokens, at = [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            check(match, f"no token at {text[at:at + 40]!r}")
            self.tokens.append(match[1])
            at = match.end()
        self.at = 0
        self.prims = {}
        self.metadata = self.read_metadata()
        while self.at < len(self.tokens):
            self.read_prim("")

    def take(self, wanted=None):
        token = self.tokens[self.at]
        check(wanted in (None, token), f"found {token}, wanted {wanted}")
        self.at += 1
        return token

    def read_metadata(self):
        values = {}
        self.take("(")
        while self.tokens[self.at] != ")":
            name = self.take()
            self.take("=")
            values[name] = self.read_scalar()
        self.take(")")
        return values

    def read_scalar(self):
        token = self.take()
        return token[1:-1] if token[0] == '"' else float(token)

    def read_list(self, width):
        """[1, 2] or [(1, 2), (3, 4)] as one flat list."""
        values = []
        self.take("[")
        while self.tokens[self.at] != "]":
            if values:
                self.take(",")
            if width > 1:
                self.take("(")
            for k in range(width):
                if k:
                    self.take(",")
                values.append(float(self.take()))
            if width > 1:
                self.take(")")
        self.take("]")
        return values

    def read_samples(self, width):
        samples = {}
        self.take("{")
        while self.tokens[self.at] != "}":
            time = float(self.take())
            self.take(":")
            check(time not in samples, f"two samples at {time}")
            samples[time] = self.read_list(width)
            self.take(",")
        self.take("}")
        return samples

    def read_prim(self, above):
        self.take("def")
        kind, path = self.take(), f"{above}/{self.read_scalar()}"
        check(path not in self.prims, f"two prims {path}")
        check(re.fullmatch(r"[A-Za-z_]\w*", path.rsplit("/", 1)[1], re.ASCII), f"the name {path}")
        attributes = self.prims[path] = {"type": kind}
        self.take("{")
        while self.tokens[self.at] != "}":
            if self.tokens[self.at] == "def":
                self.read_prim(path)
            else:
                self.read_attribute(attributes)
        self.take("}")

    def read_attribute(self, attributes):
        if self.tokens[self.at] == "uniform":
            self.take()
        kind, is_list = self.take(), self.tokens[self.at] == "[]"
        if is_list:
            self.take()
        name = self.take()
        if self.tokens[self.at] == "=":
            self.take()
            check(name not in attributes, f"{name} is there twice")
            if name.endswith(".timeSamples"):
                attributes[name] = self.read_samples(self.WIDTHS[kind])
            else:
                attributes[name] = self.read_list(self.WIDTHS[kind]) if is_list else self.read_scalar()
        if self.tokens[self.at] == "(":
            attributes[name + ":metadata"] = self.read_metadata()


def check_layer(layer, positions, faces):
    check_equal(list(layer.prims)[:2], ["/character", "/character/skin"], "the first prims")
    check_equal(layer.metadata["defaultPrim"], "character", "the default prim")
    check_equal((layer.metadata["upAxis"], layer.metadata["metersPerUnit"]), ("Y", 1), "axis and unit")
    mesh = layer.prims["/character/skin"]
    check_equal(mesh["subdivisionScheme"], "none", "the subdivision scheme")
    check_equal(mesh["faceVertexCounts"], list(map(len, faces)), "corners of the faces")
    check_equal(mesh["faceVertexIndices"], [i for face in faces for i in face], "the faces")
    listed = [f for path, prim in layer.prims.items() if prim["type"] == "GeomSubset"
              for f in prim["indices"]]
    check_equal(sorted(listed), list(range(len(faces))), "faces of all objects")
    check_equal(len(positions) % 3, 0, "numbers")
    return mesh


def check_extent(extent, points):
    check_equal(extent, [f(points[i::3]) for f in (min, max) for i in range(3)], "the extent")


def bake(path, *options):
    """The layer, and the frames and faces of other files of the same bake."""
    run("bake", path, "-o", cli.WORK / "x.usda", *options)
    run("bake", path, "-o", cli.WORK / "x.pc2", *options)
    run("pose", path, "-o", cli.WORK / "still.obj", "--frame", 0)
    first = int(dict(zip(options, options[1:])).get("--frames", "0:").split(":")[0])
    return Usda(cli.WORK / "x.usda"), read_pc2(cli.WORK / "x.pc2", first), read_obj(cli.WORK / "still.obj")[1]


@case("cylinder", "hand", "CesiumMan.glb", "Snake.fbx", "hand_bones.glb")
def same_as_the_point_cache(name):
    path = asset(name) if "." in name else model(name)
    layer, frames, faces = bake(path, "--frames", "2:5", "--fps", 24)
    mesh = check_layer(layer, frames[0], faces)
    check_equal([layer.metadata[key] for key in
                 ("startTimeCode", "endTimeCode", "timeCodesPerSecond", "framesPerSecond")],
                [2, 5, 24, 24], "times")
    points = mesh["points.timeSamples"]
    check_equal(list(points), [2, 3, 4, 5], "time codes")
    for frame, wanted in zip(points.values(), frames):
        check_equal(array("f", frame), wanted, "points")
    for time, extent in mesh["extent.timeSamples"].items():
        check_extent(extent, points[time])
    check_equal(mesh["normals:metadata"], {"interpolation": "vertex"}, "how normals are meant")
    for normals in mesh["normals.timeSamples"].values():
        check_equal(len(normals), len(frames[0]), "normals")
        for i in range(0, len(normals), 3):
            length = sum(x * x for x in normals[i:i + 3])
            check(length == 0 or abs(length - 1) < 1e-5, f"normal {i // 3} has length^2 {length}")
    if "primvars:st" in mesh:
        check_equal(len(mesh["primvars:st"]) // 2, len(frames[0]) // 3, "texture coordinates")
        check_equal(mesh["primvars:st:metadata"], {"interpolation": "vertex"}, "how they are meant")


@case()
def texture_coordinates_from_the_bottom():
    path = asset("CesiumMan.glb")
    gltf = Gltf(path)
    uvs = [x for _, p in gltf.get_parts(lambda node: "skin" in node)
           for x in gltf.read(p["attributes"]["TEXCOORD_0"])]
    layer, _, _ = bake(path, "--frames", "0:0")
    found = layer.prims["/character/skin"]["primvars:st"]
    check_close(found[0::2], uvs[0::2], 1e-6, "s")
    check_close(found[1::2], [1 - v for v in uvs[1::2]], 1e-6, "t")


@case()
def still_has_no_samples():
    path, target = model("arm"), cli.WORK / "still.usda"
    run("pose", path, "-o", target, "--frame", 9)
    run("pose", path, "-o", cli.WORK / "still.obj", "--frame", 9)
    layer = Usda(target)
    positions, faces = read_obj(cli.WORK / "still.obj")
    mesh = check_layer(layer, positions, faces)
    check_equal(array("f", mesh["points"]), positions, "points")
    check_extent(mesh["extent"], mesh["points"])
    check_equal([name for name in mesh if "timeSamples" in name], [], "samples")
    check("startTimeCode" not in layer.metadata, f"a still has times: {layer.metadata}")


@case()
def odd_names():
    """Objects whose names are no identifiers, or the same."""

    def rename(gltf):
        for node in gltf["nodes"]:
            if "mesh" in node:
                node["name"] = '1 "bad"\nñame'

    path = edit_gltf(model("finger"), rename, cli.WORK / "odd.glb")
    layer, frames, faces = bake(path, "--frames", "0:1")
    check_layer(layer, frames[0], faces)


@case()
def bake_fails_whole():
    target = cli.WORK / "no_folder" / "x.usda"
    run_failing(target, "bake", model("cylinder"), "-o", target)


if __name__ == "__main__":
    cli.main()
