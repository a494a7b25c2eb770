# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""turgor rig from outside: test_cli_rig.py PROGRAM ASSETS_DIR

Bare meshes in every format become characters that the other verbs take; options, the page, the test
animation, and what goes wrong.
"""

import math
from xml.etree import ElementTree

import cli_helper as cli
from cli_helper import (asset, case, check, check_equal, check_near, model, run, run_failing, run_json,
                        run_wrong)
from cli_readers import Gltf, edit_gltf
from test_cli_bind import get_skin, make_textured_box

# What artists would miss, by template.
WANTED = {
    "quadruped": {"pelvis", "spine1", "spine2", "chest", "head", "hip.L", "knee.L", "hock.L",
                  "hindfoot.L", "shoulder.L", "elbow.L", "carpus.L", "forefoot.L"},
    "biped": {"pelvis", "spine1", "spine2", "chest", "head", "hip.L", "knee.L", "ankle.L", "toe.L",
              "shoulder.L", "elbow.L", "wrist.L"},
    "hand": {"wrist", "finger1_1", "finger5_3"},
}


def check_joints(report):
    """Parents first, names once, each joint of the left has one on the right."""
    names = [joint["name"] for joint in report["joints"]]
    check_equal(len(set(names)), len(names), "different names")
    for i, joint in enumerate(report["joints"]):
        check(joint["parent"] is None if i == 0 else joint["parent"] in names[:i],
              f"{joint['name']} hangs on {joint['parent']}")
    check_equal({n[:-2] for n in names if n.endswith(".L")},
                {n[:-2] for n in names if n.endswith(".R")}, "names on both sides")
    wanted = WANTED.get(report["template"], set())
    wanted |= {n.replace(".L", ".R") for n in wanted}
    check(wanted <= set(names), f"{wanted - set(names)} are missing")
    return {joint["name"]: joint["position"] for joint in report["joints"]}


@case("cat", "elephant", "giraffe", "hand")
def bare_models(name):
    obj, out = model(name, ".obj"), cli.WORK / f"rigged_{name}.glb"
    report = run_json("rig", obj, "-o", out)
    check_equal(report["template"], "hand" if name == "hand" else "quadruped", "template")
    places = check_joints(report)
    info = run_json("info", out)
    check_equal(info["joints"], len(places), "joints in the file")
    check_equal(info["vertices"], report["vertices"], "vertices")
    check_equal(sum(abs(sum(row.values()) - 1) > 1e-5 for row in get_skin(out)), 0, "odd weights")
    for joint, place in places.items():
        if joint.endswith(".L"):
            other = places[joint[:-2] + ".R"]
            check_equal([-other[0], *other[1:]], place, f"the image of {joint}")
    measured = run_json("measure", out)  # the others take it
    check_near(measured["worst"]["corrected"], 0, 1e-5, "the volume at rest")
    turn = "finger2_2" if name == "hand" else "knee.L"
    run("pose", out, "--rotate", f"{turn}=1,0,0,40", "-o", cli.WORK / "posed.obj")


@case("CesiumMan.glb", "RiggedFigure.dae", "Q_Fox.glb", "Trex.fbx")
def stripped_assets(name):
    """A skin that is there is refused, then replaced; it stands in the file as it stood."""
    path, out = asset(name), cli.WORK / "replaced.glb"
    err = run_failing(path, "rig", path, "-o", out)
    check("--replace" in err and "turgor bind" in err, err)
    report = run_json("rig", path, "-o", out, "--replace")
    check_equal(report["template"], "quadruped" if "Fox" in name else "biped", "template")
    check_joints(report)
    sizes = []
    for file in (path, out):
        posed = cli.WORK / "stands.obj"
        run("pose", file, "--rotate", f"{run_json('info', file)['jointNames'][0]}=1,0,0,0", "-o", posed)
        rows = [list(map(float, line.split()[1:4])) for line in posed.read_text().splitlines()
                if line.startswith("v ")]
        sizes.append([max(p[k] for p in rows) - min(p[k] for p in rows) for k in range(3)])
    if not name.endswith(".fbx"):  # a rest pose other than the bind pose
        return
    for a, b in zip(*sizes):
        check_near(b / a, 1, 0.5, "its extent")


@case()
def materials_are_carried():
    box, out = cli.WORK / "box.glb", cli.WORK / "box_rigged.glb"
    make_textured_box(box)
    before = Gltf(box)
    run("rig", box, "-o", out)
    after = Gltf(out)
    for key in ("materials", "textures", "samplers"):
        check_equal(after.json.get(key), before.json.get(key), key)
    attributes = after.json["meshes"][0]["primitives"][0]["attributes"]
    check({"TEXCOORD_0", "COLOR_0", "JOINTS_0", "WEIGHTS_0"} <= set(attributes), attributes)


@case()
def wiggle():
    """Every joint swings by 40 degrees, one after the other."""
    obj, out = model("cat", ".obj"), cli.WORK / "wiggle.glb"
    report = run_json("rig", obj, "-o", out, "--wiggle")
    gltf = Gltf(out)
    check_equal([a["name"] for a in gltf.json["animations"]], ["wiggle"], "animations")
    animation, swings = gltf.json["animations"][0], []
    for channel in animation["channels"]:
        check_equal(channel["target"]["path"], "rotation", "what is animated")
        sampler = animation["samplers"][channel["sampler"]]
        times, values = gltf.read(sampler["input"]), gltf.read(sampler["output"])
        turns = [2 * math.degrees(math.acos(min(1, abs(values[i + 3])))) for i in range(0, len(values), 4)]
        check_near(max(turns), 40, 0.01, "the largest turn")
        check_near(turns[0] + turns[-1], 0, 1e-3, "the turns at both ends")
        swings.append((times[0], times[-1], gltf.json["nodes"][channel["target"]["node"]]["name"]))
    check_equal({s[2] for s in swings}, {j["name"] for j in report["joints"]}, "joints that swing")
    swings.sort()
    for a, b in zip(swings, swings[1:]):
        check(a[1] <= b[0] + 1e-5, f"{a} and {b} swing together")
    run("bake", out, "-o", cli.WORK / "wiggle.pc2", "--frames", "0:20")


@case()
def page():
    obj, out, html = model("elephant", ".obj", 1500), cli.WORK / "paged.glb", cli.WORK / "rig.html"
    report = run_json("rig", obj, "-o", out, "--report", html)
    root = ElementTree.parse(html).getroot()
    text = "".join(root.itertext())
    for word in ("quadruped", "pelvis", "trunk1", "Extremities", "too blunt", "Warnings"):
        check(word in text, f"the page does not say {word}")
    pictures = [e for e in root.iter() if e.tag.endswith("img")]
    check_equal(len(pictures), 3, "pictures")
    for joint in report["joints"]:
        check(joint["name"] in text, f"{joint['name']} is not on the page")


@case()
def options():
    obj, out = model("cat", ".obj"), cli.WORK / "options.glb"
    names = {j["name"] for j in run_json("rig", obj, "-o", out, "--joints-per-limb", 6)["joints"]}
    check({"foreleg6.L", "hindleg6.R"} <= names and "knee.L" not in names, names)
    report = run_json("rig", obj, "-o", out, "--template", "none")
    check_equal(report["template"], "none", "template")
    check("root" in {j["name"] for j in report["joints"]}, "a root")
    report = run_json("rig", obj, "-o", out, "--symmetry", "none")
    check_equal(report["mirroredShare"], 0, "mirrored share")
    report = run_json("rig", obj, "-o", out, "--up", "y")
    check_equal(report["template"], "quadruped", "template by y")
    wrong = run_json("rig", obj, "-o", out, "--up", "x")
    check(wrong["template"] != "quadruped", "a cat that stands on its side")
    places = check_joints(report)
    tail = next(t for t in report["extremities"] if t["joint"] == "tail5" or "tail" in str(t["joint"]))
    source = ",".join(f"{x:.6f}" for x in tail["position"])
    turned = check_joints(run_json("rig", obj, "-o", out, "--source", source))
    check(turned["head"][2] < turned["pelvis"][2] < places["head"][2], "the head is at the tail now")
    run_json("rig", obj, "-o", out, "--source", 0)
    few = run_json("rig", obj, "-o", out, "--least-length", 0.2)
    check(len(few["joints"]) < len(report["joints"]), "fewer joints for longer extremities")


@case()
def z_is_up():
    """A file that lies on its back is told from one that stands."""
    lines = model("giraffe", ".obj").read_text().splitlines()
    lying, out = cli.WORK / "lying.obj", cli.WORK / "lying.glb"
    with lying.open("w") as file:
        for line in lines:
            if line.startswith("v "):
                x, y, z = line.split()[1:4]
                line = f"v {x} {-float(z):.9g} {y}"
            elif line.startswith("vn "):
                continue
            file.write("\n".join([" ".join(p.split("/")[0] for p in line.split())
                                  if line.startswith("f ") else line]) + "\n")
    report = run_json("rig", lying, "-o", out)
    check_equal([report["up"], report["template"]], ["z", "quadruped"], "up and template")
    check(any("z is taken as up" in w for w in report["warnings"]), report["warnings"])
    _, err = run("rig", lying, "-o", out)
    check("warning: z is taken as up" in err, err)


@case("x", "-x", "-y", "-z")
def the_axis_that_is_up(up):
    """Told by --up, and found of a skeleton that stands in its file though its bind pose does not."""
    axis, sign = "xyz".index(up[-1]), -1 if up[0] == "-" else 1
    order = [(axis + 2) % 3, axis, (axis + 1) % 3]  # of the new axes, those that x, y and z go to
    lines = model("cat", ".obj").read_text().splitlines()
    turned, out = cli.WORK / "turned.obj", cli.WORK / "turned.glb"
    with turned.open("w") as file:
        for line in (line for line in lines if not line.startswith("vn ")):
            if line.startswith("v "):
                numbers, place = list(map(float, line.split()[1:4])), [0, 0, 0]
                for k in range(3):
                    place[order[k]] = numbers[k] * (sign if k != 0 else 1)  # a half turn about x
                line = "v " + " ".join(map(str, place))
            elif line.startswith("f "):
                line = " ".join(p.split("/")[0] for p in line.split())
            file.write(line + "\n")
    report = run_json("rig", turned, "-o", out, "--up", up)
    check_equal([report["up"], report["template"]], [up, "quadruped"], "up and template")

    def stand(document):  # a node above the skeleton turns that axis up
        document["nodes"].append({"children": document["scenes"][0]["nodes"],
                                  "matrix": [v for k in range(3) for v in
                                             [float(order[i] == k) * (sign if i != 0 else 1) for i in range(3)]
                                             + [0]] + [0, 0, 0, 1]})
        document["scenes"][0]["nodes"] = [len(document["nodes"]) - 1]

    lying = edit_gltf(out, stand, cli.WORK / "lying.glb")
    report = run_json("rig", lying, "-o", out, "--replace")
    check_equal([report["up"], report["template"]], [up, "quadruped"], "up and template as they stand")


@case()
def source_is_a_place():
    """The vertex nearest to it is where the skeleton begins: how far away it is counts."""
    obj, out = model("cat", ".obj"), cli.WORK / "source.glb"
    vertices = [list(map(float, line.split()[1:4])) for line in obj.read_text().splitlines()
                if line.startswith("v ")]
    far = max(vertices, key=lambda p: math.dist(p, (0, 0, 0)))
    found = []
    for scale in (1.0, 0.4, 0.0):
        place = [scale * x for x in far]
        report = run_json("rig", obj, "-o", out, "--source", ",".join(map(str, place)))
        nearest = min(math.dist(p, place) for p in vertices)
        found.append(report["extremities"][report["source"]]["position"])
        check_near(math.dist(found[-1], place), nearest, 1e-5, f"how far the source is from {place}")
    check(found[0] != found[1], "places of two lengths are one")


@case()
def twice_the_same():
    obj = model("cat", ".obj")
    outs = [cli.WORK / f"again{k}.glb" for k in range(2)]
    for out in outs:
        run("rig", obj, "-o", out)
    check_equal(outs[0].read_bytes() == outs[1].read_bytes(), True, "the same bytes")


@case()
def what_goes_wrong():
    obj, out = model("cat", ".obj"), cli.WORK / "never.glb"
    run_wrong("rig", obj)
    run_wrong("rig", "-o", out)
    for option, text in (("--up", "w"), ("--template", "bird"), ("--symmetry", "left"),
                         ("--joints-per-limb", "many"), ("--joints-per-limb", 99),
                         ("--least-length", 0), ("--source", "nose"), ("--source", "1,2"),
                         ("--source", "1,2,3,4"), ("--source", "1,nan,3")):
        err = run_wrong("rig", obj, "-o", out, option, text)
        check("render" not in err, err)
    err = run_failing(obj, "rig", obj, "-o", out, "--source", 99999999)
    check("there is no vertex 99999999" in err, err)
    run_failing(cli.WORK / "no/x.glb", "rig", obj, "-o", cli.WORK / "no/x.glb")
    run_failing("missing.obj", "rig", "missing.obj", "-o", out)
    flat = cli.WORK / "line.obj"
    flat.write_text("".join(f"v {i} 0 0\n" for i in range(5)) + "f 1 2 3\nf 3 4 5\n")
    run_failing(flat, "rig", flat, "-o", out)
    soup = cli.WORK / "soup.obj"
    soup.write_text("".join(f"v {i} 0 0\nv {i} 0.1 0\nv {i} 0 0.1\nf {3*i+1} {3*i+2} {3*i+3}\n"
                            for i in range(60)))
    err = run_failing(soup, "rig", soup, "-o", out)
    check("60 pieces" in err, err)


if __name__ == "__main__":
    cli.main()
