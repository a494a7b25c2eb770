# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Files from strangers, from outside: test_cli_trust.py PROGRAM ASSETS_DIR

What a hostile file may not do: read other files, replace its own input, bring the program down,
take all memory, hang it, or leave litter behind.
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
from cli_readers import Gltf, edit_gltf, read_pc2

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


# ---- small files that unfold ---------------------------------------------------------------------


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
