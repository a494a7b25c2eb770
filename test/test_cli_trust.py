# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Files from strangers, from outside: test_cli_trust.py PROGRAM ASSETS_DIR

What a hostile file may not do: read other files, replace its own input, bring the program down, hang
it, or leave litter behind. (Taking all memory and time: test_cli_unfold.py.)
"""

import base64
import json
import math
import os
import resource
import signal
import struct
import subprocess
import time

import cli_helper as cli
from cli_helper import case, check, check_equal, model, run, run_failing, start
from cli_readers import Gltf, edit_gltf, pack_glb, read_pc2, strip

SECRET = b"SECRET=do-not-pass-me-on " * 40
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ"
                       "RU5ErkJggg==")


def folder(name):
    """A folder for the character, and one beside it that is none of its business."""
    place = cli.WORK / name / "character"
    place.mkdir(parents=True, exist_ok=True)
    (cli.WORK / name / "outside.bin").write_bytes(SECRET)
    (cli.WORK / name / "outside.png").write_bytes(PNG)
    return place


def write_gltf(path, image=None, buffer="arm.bin"):
    """The arm as .gltf, its buffer and perhaps an image where these URIs say."""
    gltf = Gltf(model("arm"))
    document = gltf.json
    document["buffers"][0]["uri"] = buffer
    if image is not None:
        document["images"] = [{"uri": image, "mimeType": "image/png"}]
        document["textures"] = [{"source": 0}]
        document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
        document["meshes"][0]["primitives"][0]["material"] = 0
    path.write_text(json.dumps(document))
    (path.parent / "arm.bin").write_bytes(gltf.binary)
    return path


# ---- what a URI may name -------------------------------------------------------------------------


@case("../outside.bin", "%2e%2e/outside.bin", "..%2foutside.bin", "%2e%2e%2foutside.bin", "link.png",
      "linked/outside.bin", "plain.png")
def image_that_is_no_business_of_the_file(uri):
    place = folder("image")
    if not (place / "link.png").exists():
        (place / "link.png").symlink_to(place.parent / "outside.bin")
        (place / "linked").symlink_to(place.parent)
    (place / "plain.png").write_bytes(SECRET)  # inside, but no image
    path, out = write_gltf(place / "arm.gltf", uri), cli.WORK / "image" / "out.glb"
    _, err = run("pose", path, "--frame", 0, "-o", out)
    check(SECRET[:20] not in out.read_bytes(), "the secret is in the output")
    wanted = "is no PNG, JPEG" if uri == "plain.png" else "lies outside this file's folder and is not read"
    check(f"warning: images[0]: file \"{uri}\" {wanted}" in err, err)
    check(err.count("\n") == 1, err)


@case("inside.png", "sub/inside.png", "sub/../inside.png", "link.png", "in%73ide.png")
def image_that_may_be_read(uri):
    place = folder("inside")
    (place / "sub").mkdir(exist_ok=True)
    for name in ("inside.png", "sub/inside.png"):
        (place / name).write_bytes(PNG)
    if not (place / "link.png").exists():
        (place / "link.png").symlink_to("sub/inside.png")
    out = cli.WORK / "inside" / "out.glb"
    _, err = run("pose", write_gltf(place / "arm.gltf", uri), "--frame", 0, "-o", out)
    check_equal(err, "", "standard error")
    check(PNG in out.read_bytes(), "the image is not in the output")


@case()
def escapes_are_undone_once():
    place = folder("once")
    (place / "a%2fb.png").write_bytes(PNG)
    out = cli.WORK / "once" / "out.glb"
    run("pose", write_gltf(place / "arm.gltf", "a%252fb.png"), "--frame", 0, "-o", out)
    check(PNG in out.read_bytes(), "the image is not in the output")


@case()
def outside_for_those_who_mean_it():
    place = folder("meant")
    out = cli.WORK / "meant" / "out.glb"
    path = write_gltf(place / "arm.gltf", "../outside.png")
    run("pose", path, "--frame", 0, "-o", out, "--allow-outside")
    check(PNG in out.read_bytes(), "the image is not in the output")
    # What is no image stays out even so.
    path = write_gltf(place / "arm.gltf", "../outside.bin")
    run("pose", path, "--frame", 0, "-o", out, "--allow-outside")
    check(SECRET[:20] not in out.read_bytes(), "the secret is in the output")


@case("../outside.bin", "%2e%2e/outside.bin", "link.bin")
def buffer_outside(uri):
    place = folder("buffer")
    gltf = Gltf(model("arm"))
    (place.parent / "outside.bin").write_bytes(gltf.binary)
    if not (place / "link.bin").exists():
        (place / "link.bin").symlink_to(place.parent / "outside.bin")
    path = write_gltf(place / "arm.gltf", buffer=uri)
    for verb, more in (("info", []), ("bake", ["-o", cli.WORK / "never.glb"])):
        err = run_failing(path, verb, path, *more)
        check(f"buffers[0]: file \"{uri}\" lies outside this file's folder" in err, err)
    run("info", path, "--allow-outside")
    (place.parent / "outside.bin").write_bytes(SECRET)


@case("buffer", "image", "bone")
def not_a_plain_file(what):
    """A pipe would hang, a device would never end."""
    place = folder(f"special_{what}")
    if not (place / "pipe").exists():
        os.mkfifo(place / "pipe")
        (place / "endless").symlink_to("/dev/zero")
    out = cli.WORK / f"special_{what}" / "out.glb"
    if what == "bone":
        os.mkfifo(place / "bone.obj")
        (place / "bones.json").write_text('{"bones": [{"joint": "forearm", "mesh": "bone.obj", "object": "forearm"}]}')
        process = start("pose", model("arm"), "--frame", 0, "-o", out, "--settings", place / "bones.json")
        try:
            err = process.communicate(timeout=10)[1].decode()
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        check_equal(process.returncode, 1, "status")
        check('"bone.obj": is a folder, a pipe or a device, expected a plain file' in err, err)
        return
    for name in ("pipe", "endless", "."):
        more = ["--allow-outside"] if name == "endless" else []
        began = time.monotonic()
        if what == "buffer":
            path = write_gltf(place / "arm.gltf", buffer=name)
            err = run_failing(path, "info", path, *more)
        else:
            path = write_gltf(place / "arm.gltf", image=name)
            _, err = run("pose", path, "--frame", 0, "-o", out, *more)
        check("is a folder, a pipe or a device, expected a plain file" in err, err)
        check(time.monotonic() - began < 10, f"{name} took too long")


@case()
def no_more_than_is_needed():
    """The buffer's file goes on for 3 GB after what the document asks for."""
    place = folder("long")
    path = write_gltf(place / "arm.gltf")
    with open(place / "arm.bin", "r+b") as file:
        file.truncate(3 << 30)
    began = time.monotonic()
    run("info", path)
    check(time.monotonic() - began < 5, "all of it was read")
    document = json.loads(path.read_text())
    document["buffers"][0]["byteLength"] = 2 << 30
    path.write_text(json.dumps(document))
    err = run_failing(path, "info", path)
    check("buffers[0] wants 2147483648 bytes of another file, expected at most 1073741824" in err, err)
    (place / "arm.bin").unlink()


# ---- no output is an input -----------------------------------------------------------------------


def refused(victim, *arguments):
    """Status 1, one line, and the file as it was."""
    before = victim.read_bytes()
    named = arguments[[str(a) in ("-o", "--plot", "--report", "--animate") for a in arguments].index(True) + 1]
    err = run_failing(named, *arguments)
    check("is the input" in err and "give the output another name" in err, err)
    check_equal(victim.read_bytes(), before, "the input")


@case("itself", "./", "link", "hard link")
def output_that_is_the_input(how):
    place = cli.WORK / "same" / how.replace("/", "dot")
    place.mkdir(parents=True)
    victim = place / "arm.glb"
    victim.write_bytes(model("arm").read_bytes())
    out = {"itself": victim, "./": f"{place}/./arm.glb"}.get(how, place / "other.glb")
    if how == "link":
        out.symlink_to(victim)
    elif how == "hard link":
        os.link(victim, out)
    refused(victim, "bake", victim, "-o", out)
    refused(victim, "pose", victim, "--frame", 0, "-o", out)
    refused(victim, "bind", victim, "-o", out)
    refused(victim, "rig", victim, "--replace", "-o", out)
    refused(victim, "bind", model("elephant"), "--skeleton", victim, "-o", out)


@case("measure --plot", "measure --report", "render", "render --animate", "pose", "bake")
def output_that_is_a_settings_file(how):
    """Whatever it is called, it stands in for the settings."""
    verb, _, option = how.partition(" ")
    ending = {"measure --plot": "svg", "measure --report": "html", "render": "png",
              "render --animate": "gif"}.get(how, "glb")
    settings = cli.WORK / f"settings.{ending}"
    settings.write_text("{}")
    more = ["--frame", 0] if verb == "pose" else []
    refused(settings, verb, model("arm"), "--settings", settings, option or "-o", settings, *more)


@case()
def output_that_a_file_names():
    """A texture of the glTF, and a bone of the settings, whose name comes out of a sequence."""
    place = folder("named")
    (place / "skin.png").write_bytes(PNG)
    path = write_gltf(place / "arm.gltf", "sk%69n.png")
    refused(place / "skin.png", "render", path, "-o", place / "skin.png", "--size", "64x64")
    for name, arguments in (("arm.html", ["rig", path, "--report", "arm.html", "--replace", "-o", "x.glb"]),
                            ("buffer.glb", ["rig", path, "--replace", "-o", "buffer.glb"]),
                            ("other.glb", ["bind", path, "-o", "other.glb"]),
                            ("third.glb", ["bind", model("elephant"), "--skeleton", path, "-o", "third.glb"])):
        write_gltf(path, buffer=name)
        (place / name).write_bytes((place / "arm.bin").read_bytes())
        refused(place / name, *(place / a if a in (name, "x.glb") else a for a in arguments))
    bone = place / "bone_0002.obj"
    bone.write_text("o forearm\nv 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    settings = place / "bones.json"
    settings.write_text('{"bones": [{"joint": "forearm", "mesh": "bone_0002.obj", "object": "forearm"}]}')
    before = bone.read_bytes()
    err = run_failing(bone, "bake", model("arm"), "--settings", settings, "-o", place / "bone.obj")
    check("is the input" in err, err)
    check_equal(bone.read_bytes(), before, "the bone")
    refused(bone, "pose", model("arm"), "--frame", 0, "--settings", settings, "-o", bone)


@case()
def markers_that_are_the_output():
    markers, segments = cli.WORK / "walk.trc", cli.WORK / "segments.json"
    run("model", "hand", "-o", cli.WORK / "hand.glb", "--markers", markers)
    segments.write_text('{"segments": []}')
    refused(segments, "centers", markers, "--segments", segments, "-o", segments)


# ---- signals, full disks, what is left behind ------------------------------------------------------


def temporaries(place):
    return sorted(path.name for path in place.iterdir() if ".tmp-" in path.name)


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    check(condition(), "nothing happened in time")


def signal_film(number, times, place, body):
    """Sends a signal to a run whose film goes to an ffmpeg that does `body`: its status and what it says."""
    place.mkdir()
    (place / "ffmpeg").write_text(f"#!/bin/sh\n{body}\n")
    (place / "ffmpeg").chmod(0o755)
    kept = os.environ["PATH"]
    os.environ["PATH"] = f"{place}:{kept}"
    try:
        process = start("render", model("arm"), "--animate", place / "out.mp4", "--size", "640x480", "--fps", 4)
    finally:
        os.environ["PATH"] = kept
    try:
        wait_for((place / "started").exists)
        time.sleep(1)
        for _ in range(times):
            process.send_signal(number)
        err = process.communicate(timeout=10)[1].decode()
    except (cli.Failed, subprocess.TimeoutExpired):
        process.kill()
        process.communicate()
        raise
    return process.returncode, err


@case(signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
def one_signal_ends_a_film(number):
    """Where ffmpeg reads nothing, and where it has read all and does not end."""
    for doing in ("exec sleep 60", "cat >/dev/null; exec sleep 60"):
        place = cli.WORK / f"signal_{number}_{doing[:3]}"
        status, err = signal_film(number, 1, place, f'touch "{place}/started"; {doing}')
        check_equal(status, 1, "status")
        check(": interrupted" in err and err.count("\n") == 1, err)
        check_equal(temporaries(place), [], "what is left")


@case(signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
def second_signal_ends_it(number):
    """At once, whatever was being put in order; the next run puts it in order."""
    place = cli.WORK / f"signals_{number}"
    status, _ = signal_film(number, 2, place, f'touch "{place}/started"; exec sleep 60')
    check(status in (1, -number), f"status {status}")
    run("pose", model("arm"), "--frame", 0, "-o", place / "next.obj")
    check_equal(temporaries(place), [], "what is left")


@case("glb", "obj", "pc2", "usda", "png", "gif", "mp4")
def file_that_may_not_grow(ending):
    """Past the limit a write fails; nothing is left, and one line says why."""
    place = cli.WORK / f"limit_{ending}"
    place.mkdir()
    out = place / f"out.{ending}"

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    command = ["render", model("arm"), "-o", out] if ending == "png" else ["bake", model("arm"), "-o", out]
    if ending in ("gif", "mp4"):
        command = ["render", model("arm"), "--animate", out, "--size", "320x240", "--fps", 8]
    err = run(*command, status=1, prepare=limit)[1]
    check(err.startswith(f"turgor: {out}: ") and err.count("\n") == 1, err)
    check("File too large" in err or ending == "png", err)
    check_equal(list(place.iterdir()), [], "what is left")


@case()
def what_a_killed_run_left():
    place = cli.WORK / "killed"
    place.mkdir()
    out = place / "out.glb"
    process = start("bake", model("elephant"), "-o", out, "--fps", 400)
    wait_for(lambda: len(temporaries(place)) >= 2)
    process.kill()
    process.communicate()
    check(len(temporaries(place)) >= 2, "nothing was left")
    alive = place / f".other.glb.tmp-{os.getpid()}-0000"
    strange = [place / ".notes.tmp-123456789-00", place / "x.tmp-999999999-0000", place / ".tmp-999999999-0000"]
    for path in (alive, *strange):
        path.write_text("mine")
    run("pose", model("arm"), "--frame", 0, "-o", place / "next.obj")
    check_equal(temporaries(place), sorted(path.name for path in (alive, *strange)), "what is left")
    for path in (alive, *strange):
        path.unlink()


# ---- words ---------------------------------------------------------------------------------------


@case(("scene", "scene is 0, the file has none"), ("skin", "nodes[1].skin is 3, expected 0 to 0"),
      ("mesh", "nodes[1].mesh is 0, the file has none"))
def index_into_nothing(words):
    kind, wanted = words
    document, binary = strip(24)
    document["nodes"] = [{"name": "root"}, {"mesh": 0, "skin": 3 if kind == "skin" else 0}]
    document["skins"] = [{"joints": [0]}]
    if kind != "scene":
        document["scenes"] = [{"nodes": [0, 1]}]
    if kind == "mesh":
        document.pop("meshes")
    path = pack_glb(cli.WORK / f"nothing_{kind}.glb", document, binary)
    err = run_failing(path, "info", path)
    check(wanted in err, err)


@case((0.9985, "sum to 0.998; normalised"), (0.75, "sum to 0.75; normalised"))
def weights_that_hardly_differ(words):
    weight, wanted = words
    document, binary = strip(24)
    view = document["bufferViews"][2]
    weights = struct.pack("<ffff", weight, 0, 0, 0) * 24
    binary = binary[:view["byteOffset"]] + weights + binary[view["byteOffset"] + len(weights):]
    document["nodes"] = [{"name": "root"}, {"mesh": 0, "skin": 0}]
    document["skins"] = [{"joints": [0]}]
    document["scenes"] = [{"nodes": [0, 1]}]
    path = pack_glb(cli.WORK / f"weights_{weight}.glb", document, binary)
    _, err = run("info", path)
    check(f"24 vertices had weights that {wanted}" in err, err)


@case()
def per_cent_of_nothing():
    """In one frame the arm is as flat as a shadow: of that volume there is no part to tell."""
    def flatten(document):
        below = {child for node in document["nodes"] for child in node.get("children", [])}
        roots = [n for n in range(len(document["nodes"])) if n not in below]
        document["nodes"].append({"children": roots, "scale": [1, 1e-12, 1]})
        document["scenes"][0]["nodes"] = [len(document["nodes"]) - 1]

    path = edit_gltf(model("arm"), flatten, cli.WORK / "shadow.glb")
    out, _ = run("bake", path, "-o", cli.WORK / "shadow_baked.glb", "--frames", "0:30")
    check("it encloses next to nothing: there is no volume to keep" in out, out)
    check("%" not in out, out)
    out, _ = run("pose", path, "-o", cli.WORK / "shadow.obj", "--frame", 20)
    check("there is no volume to keep" in out and "%" not in out, out)


@case("\x1b[2Jevil\nline", "\x9b2Jevil\x07", "\u00e9vil \u2603 \U0001f418" * 30)
def name_that_steers_the_terminal(name):
    """Of joints, animations and attributes; the files keep it as it is."""
    def rename(document):
        next(node for node in document["nodes"] if node.get("name") == "forearm")["name"] = name
        document["animations"][0]["name"] = name
        attributes = document["meshes"][0]["primitives"][0]["attributes"]
        attributes["_" + name] = attributes["POSITION"]

    path, out = edit_gltf(model("arm"), rename, cli.WORK / "named.glb"), cli.WORK / "named_posed.glb"
    for command in (["info", path], ["measure", path, "--frames", "0:9"]):
        text = "".join(run(*command))
        bad = [c for c in text if (c < " " and c != "\n") or "\x7f" <= c <= "\x9f"]
        check(not bad and "vil" in text and "\nline" not in text, repr(text))
    run("pose", path, "--frame", 0, "-o", out)
    check(name in [node.get("name") for node in Gltf(out).json["nodes"]], "the name is not kept")


@case()
def loops_without_edges():
    """A double pyramid with a floor between: the loop runs along edges of three faces."""
    path = cli.WORK / "loops.obj"
    path.write_text("v 1 0 0\nv 0 1 0\nv -1 0 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
                    "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 2 1 6\nf 3 2 6\nf 4 3 6\nf 1 4 6\nf 1 2 3\nf 1 3 4\n")
    out, _ = run("info", path)
    check("closed            no: 1 loop of 4 boundary edges, capped; 4 edges with more than two faces" in out, out)


# ---- meshes without an inside --------------------------------------------------------------------


def one_sided(around, tube, place):
    """A Klein bottle: a torus whose tube is turned over on the way round. Positions and triangles."""
    positions, triangles = [], []
    for i in range(around):
        for j in range(tube):
            u, v = 2 * math.pi * i / around, 2 * math.pi * (j + 0.5) / tube
            r = 0.3 + 0.1 * (math.cos(u / 2) * math.sin(v) - math.sin(u / 2) * math.sin(2 * v))
            z = 0.1 * (math.sin(u / 2) * math.sin(v) + math.cos(u / 2) * math.sin(2 * v))
            positions.append((place[0] + r * math.cos(u), place[1] + r * math.sin(u), place[2] + z))
            last, k = i + 1 == around, (j + 1) % tube
            a, b, c, d = (i * tube + j, (i + 1) % around * tube + (tube - 1 - j if last else j),
                          (i + 1) % around * tube + (tube - 1 - k if last else k), i * tube + k)
            triangles += [(a, b, c), (a, c, d)]
    return positions, triangles


def loose(count, place):
    """Triangles that share nothing."""
    positions = [(place[0] + math.sin(1.7 * i), place[1] + math.cos(2.9 * i), place[2] + math.sin(5.3 * i))
                 for i in range(3 * count)]
    return positions, [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(count)]


def arm_with(path, *others, keeps=True):
    """The arm, or its skeleton alone, with more pieces on its first two joints."""
    gltf = Gltf(model("arm"))
    document, binary = gltf.json, gltf.binary
    primitives = document["meshes"][0]["primitives"]
    primitives[:] = primitives if keeps else []

    def add(data, kind, count, shape):
        nonlocal binary
        binary += bytes(-len(binary) % 4)
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        document["accessors"].append({"bufferView": len(document["bufferViews"]) - 1, "componentType": kind,
                                      "count": count, "type": shape})
        binary += data
        return len(document["accessors"]) - 1

    for positions, triangles in others:
        count = len(positions)
        place = add(b"".join(struct.pack("<3f", *p) for p in positions), 5126, count, "VEC3")
        for end, best in (("min", min), ("max", max)):
            document["accessors"][place][end] = [best(p[k] for p in positions) for k in range(3)]
        primitives.append({
            "attributes": {"POSITION": place, "JOINTS_0": add(bytes((0, 1, 0, 0)) * count, 5121, count, "VEC4"),
                           "WEIGHTS_0": add(b"".join(struct.pack("<4f", i % 5 / 4, 1 - i % 5 / 4, 0, 0)
                                                     for i in range(count)), 5126, count, "VEC4")},
            "indices": add(b"".join(struct.pack("<3H", *t) for t in triangles), 5123, 3 * len(triangles), "SCALAR")})
    return pack_glb(path, document, binary)


@case()
def volume_that_is_not_defined():
    klein, soup = one_sided(16, 8, (0, 2, 0)), loose(50, (0, 5, 0))
    cases = [("klein.glb", (klein,), "the mesh is one-sided: it has no inside, and no volume to keep", (1, 1, 1)),
             ("soup.glb", (soup,), "none of the 50 pieces (flat) encloses a volume: there is none to keep", (50, 50, 0)),
             ("both.glb", (klein, soup),
              "none of the 51 pieces (1 one-sided, 50 flat) encloses a volume: there is none to keep", (51, 51, 1))]
    for name, pieces, text, counts in cases:
        path = arm_with(cli.WORK / name, *pieces, keeps=False)
        info = cli.run_json("info", path, "--json")
        check_equal((info["components"], info["componentsWithoutVolume"], info["oneSidedComponents"]), counts, name)
        check(text in info["warnings"], info["warnings"])
        check_equal(info["restVolume"], 0, name)
        check(text in run_failing(path, "measure", path), "measure claims a volume")
        out, err = run("bake", path, "-o", cli.WORK / "none.glb", "--frames", "0:2")
        check(f"warning: {text}" in err and "target" not in out, out + err)
    check(cli.run_json("info", cli.WORK / "klein.glb", "--json")["closed"], "a Klein bottle is closed")


@case()
def pieces_without_an_inside():
    """Beside an arm: that keeps its volume, they keep plain skinning."""
    path = arm_with(cli.WORK / "beside.glb", one_sided(16, 8, (0, 2, 0)), loose(20, (0, 5, 0)))
    count = Gltf(model("arm")).json["accessors"][1]["count"]
    text = "21 of 22 pieces (1 one-sided, 20 flat) enclose no volume: they keep plain skinning"
    out, err = run("info", path)
    check("pieces            22, 21 of them without an inside" in out and text in err, out + err)
    check("closed            no: 60 boundary edges\n" in out, out)
    out, err = run("measure", path, "--frames", "0:9")
    check("of 1 of 22 pieces" in out and f"warning: {text}" in err, out + err)
    measured = cli.run_json("measure", path, "--frames", "0:9", "--json")
    check_equal((measured["components"], measured["componentsWithoutVolume"]), (22, 21), "pieces")
    alone = cli.run_json("measure", model("arm"), "--frames", "0:9", "--json")
    cli.check_near(measured["restVolume"], alone["restVolume"], 1e-9, "rest volume")
    check(abs(measured["worst"]["corrected"]) < 1e-6, measured["worst"])
    check(f"warning: {text}" in run("bake", path, "-o", cli.WORK / "kept.pc2", "--frames", "60:60")[1], "no warning")
    run("bake", path, "-o", cli.WORK / "plain.pc2", "--frames", "60:60", "--volume", "none")
    kept, plain = (read_pc2(cli.WORK / name, 60)[0] for name in ("kept.pc2", "plain.pc2"))
    check(kept[3 * count:] == plain[3 * count:] and len(kept) > 3 * count, "pieces without an inside have moved")
    check(kept[:3 * count] != plain[:3 * count], "the arm is not corrected")


# ---- a bake that could not keep its promise ------------------------------------------------------


@case()
def strict_bake():
    settings, out = cli.WORK / "too_small.json", cli.WORK / "strict.glb"
    settings.write_text('{"volume": {"target": [{"time": 0, "scale": 0.0001}]}}')
    command = ["bake", model("elephant"), "-o", out, "--frames", "0:3", "--settings", settings]
    text, _ = run(*command)
    check(text.splitlines()[-1].endswith("found no place"), text)
    out.unlink()
    _, err = run(*command, "--strict", status=1)
    check("of the volume found no place, wanted all of it (--strict)" in err, err)
    check(out.exists(), "the bake is not there")
    run("bake", model("arm"), "-o", out, "--frames", "0:9", "--strict")


if __name__ == "__main__":
    cli.main()
