# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""turgor model, from outside: test_cli_model.py PROGRAM ASSETS_DIR"""

import re

import cli_helper as cli
from cli_helper import (case, check, check_equal, check_near, list_models, model, run, run_failing, run_json,
                        run_wrong)
from cli_readers import Gltf, read_obj


@case()
def model_list():
    models = list_models()
    check({"arm", "cat", "cylinder", "elephant", "finger", "giraffe", "hand", "human", "mushroom"} <=
          set(models), f"models: {models}")
    err = run_failing("nosuch", "model", "nosuch", "-o", cli.WORK / "x.glb")
    for name in models:
        check(name in err, f"the message does not list {name}")


def check_model(name, vertices):
    glb, gltf, obj = (model(name, ending, vertices) for ending in (".glb", ".gltf", ".obj"))
    printed = [int(n) for n in re.findall(r"(\d+) (?:vertices|faces|joints)", cli.MODELS[glb])]
    info, mesh = run_json("info", glb), run_json("info", obj)
    check_equal([info["vertices"], info["joints"]], printed[::2], "vertices and joints of the GLB")
    check_equal(mesh["vertices"], printed[0], "vertices of the OBJ")
    check_equal(mesh["triangles"] + mesh["quads"], printed[1], "faces of the OBJ")
    check_equal(info["triangles"], mesh["triangles"] + 2 * mesh["quads"], "triangles of the GLB")
    for key in ("closed", "components", "weldedVertices"):
        check_equal(mesh[key], info[key], f"{key} of the OBJ")
    check(info["closed"] and mesh["quads"] > 0, "a model is closed and has quads")
    check_near(mesh["restVolume"] / info["restVolume"], 1, 0.01, "volume with quads over without")
    text = run_json("info", gltf)
    check_equal({**text, "file": ""}, {**info, "file": ""}, "info of the .gltf")
    check_equal(info["warnings"], [], "warnings")
    positions, _ = read_obj(obj)
    check_equal(list(positions), Gltf(glb).read_skin_positions(), "positions of OBJ and GLB")
    return info


@case("arm", "cat", "cylinder", "elephant", "finger", "giraffe", "hand", "human", "mushroom")
def model_reloads(name):
    info = check_model(name, 0)
    check_near(info["vertices"] / list_models()[name], 1, 0.05, "vertices over those of the list")


@case("arm", "cat", "cylinder", "elephant", "finger", "giraffe", "hand", "human", "mushroom")
def model_vertices(name):
    info = check_model(name, 3000)
    check_near(info["vertices"] / 3000, 1, 0.1, "vertices over those asked for")
    for count in ("3", "-5", "2000000000"):
        run_failing(name, "model", name, "-o", cli.WORK / "x.glb", "--vertices", count)


@case((), ("--radius", 0.5, "--blend", 6.84), ("--joints", 4, "--blend", 2),
      ("--length", 20, "--blend", 8, "--offset", 0.5), ("--vertices", 4000, "--blend", 6.84))
def model_cylinder(options):
    """The published cylinders: what bending loses, against the closed form of linear blending."""
    glb = cli.WORK / "tube.glb"
    run("model", "cylinder", "-o", glb, *options, *(() if "--vertices" in options else
                                                    ("--vertices", 20000)))
    told = dict(zip(options[::2], options[1::2]))
    joints, blend = told.get("--joints", 2), told.get("--blend", 2)
    length, offset = told.get("--length", 8), told.get("--offset", 0)
    check_equal(run_json("info", glb)["joints"], joints, "joints")
    worst = run_json("measure", glb, "--fps", 1)["worst"]["linear"]  # at 1 s it bends most
    wanted = (joints - 1) * (9 * blend / (70 * length) + offset / length)
    if blend <= length / joints or joints == 2:
        check_near(worst, -wanted, 0.004, f"lost of {wanted}")
    if blend == 6.84:
        check_near(worst, -0.11, 0.003, "the published 11 %")


@case()
def model_cylinder_refusals():
    out = cli.WORK / "never.glb"
    err = run_wrong("model", "elephant", "-o", out, "--radius", 2)
    check("are for the cylinder" in err, err)
    for options in (("--radius", -1), ("--joints", 1), ("--blend", 9), ("--length", "nan"),
                    ("--blend", 1, "--vertices", 3)):
        run("model", "cylinder", "-o", out, *options, status=1 if options[-1] != "nan" else 2)


@case()
def model_bones():
    obj, glb = cli.WORK / "bones.obj", cli.WORK / "bones.glb"
    run("model", "hand", "--bones", obj)
    names = re.findall(r"^o (.*)$", obj.read_text(), re.M)
    info = run_json("info", model("hand"))
    check_equal(len(names), 19, "objects of the bones")
    run("model", "hand", "--bones", glb)
    cli.WRITTEN.append(glb)
    bones = run_json("info", glb)
    check(bones["closed"] and bones["components"] == 19, f"bones: {bones}")
    check_equal(bones["joints"], info["joints"], "joints of the bones")
    joints = [node["name"] for node in Gltf(glb).json["nodes"]]
    check(set(names) <= set(joints), "an object that is named like no joint")
    run_failing("elephant", "model", "elephant", "--bones", cli.WORK / "x.obj")


@case()
def model_markers():
    paths = [cli.WORK / f"markers_{i}.trc" for i in range(3)]
    for path, seed in zip(paths, (1, 1, 2)):
        run("model", "hand", "--markers", path, "--seed", seed)
    texts = [path.read_text() for path in paths]
    check(texts[0] == texts[1] and texts[0] != texts[2], "the seed decides")
    lines = texts[0].split("\n")
    check_equal(lines[3].split("\t")[2::3][:3], [f"index_metacarpal_{i}" for i in (1, 2, 3)], "names")
    check_equal({len(line.split("\t")) for line in lines[6:-1]}, {2 + 48}, "columns")
    run_failing("giraffe", "model", "giraffe", "--markers", cli.WORK / "x.trc")


if __name__ == "__main__":
    cli.main(least_written=30)
