# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""turgor centers from outside: test_cli_centers.py PROGRAM ASSETS_DIR

Markers are made here about joints whose places are known; centres, skeleton and motion are
compared with them.
"""

import json
import math
import random
import struct

import cli_helper as cli
from cli_helper import case, check, check_equal, check_near, run, run_failing, run_json, run_wrong
from cli_readers import Gltf

FRAMES, RATE = 240, 60.0

# A leg in metres: joints, what turns about them, and the markers' places at rest.
HIP, KNEE, TIP = (0.1, 0.95, 0.02), (0.12, 0.52, 0.04), (0.11, 0.10, 0.0)
BODY = {
    "pelvis": {"p1": (0.2, 1.0, 0.1), "p2": (0.0, 1.02, 0.1), "p3": (0.1, 1.1, -0.1),
               "p4": (0.15, 1.05, 0.12)},
    "thigh": {"t1": (0.18, 0.8, 0.08), "t2": (0.05, 0.75, 0.05), "t3": (0.12, 0.65, -0.06),
              "t4": (0.16, 0.6, 0.03)},
    "shank": {"s1": (0.16, 0.4, 0.08), "s2": (0.08, 0.35, 0.06), "s3": (0.12, 0.25, -0.05),
              "tip": TIP},
}
SEGMENTS = {"segments": [
    {"name": "pelvis", "markers": list(BODY["pelvis"])},
    {"name": "thigh", "parent": "pelvis", "markers": list(BODY["thigh"])},
    {"name": "shank", "parent": "thigh", "markers": list(BODY["shank"]), "end": ["tip"],
     "near": ["t4", "s1"]},
]}


def turn(axis, angle, p, about=(0, 0, 0)):
    c, s = math.cos(angle), math.sin(angle)
    v = [a - b for a, b in zip(p, about)]
    dot = sum(a * b for a, b in zip(axis, v))
    cross = (axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2],
             axis[0] * v[1] - axis[1] * v[0])
    return tuple(c * v[i] + s * cross[i] + (1 - c) * dot * axis[i] + about[i] for i in range(3))


def move(segment, frame, p):
    """Where a point of a segment is in a frame; frame 0 is at rest."""
    t = 2 * math.pi * frame / FRAMES
    if segment == "shank":
        p = turn((1, 0, 0), 0.6 * (1 - math.cos(3 * t)), p, KNEE)
    if segment in ("shank", "thigh"):
        p = turn((math.cos(t), 0, math.sin(t)), 0.6 * math.sin(7 * t), p, HIP)
    p = turn((0, 1, 0), 0.8 * math.sin(t), p)
    return (p[0] + 0.3 * math.sin(t), p[1] + 0.02 * math.sin(5 * t), p[2] + 0.1 * math.sin(2 * t))


def make_markers(noise=0.0, gaps=0.0):
    """Names, and frames of positions in metres, None where a marker is not seen."""
    rng = random.Random(5)
    names = [name for markers in BODY.values() for name in markers]
    frames = []
    for f in range(FRAMES):
        frame = [tuple(x + (rng.gauss(0, noise) if f else 0) for x in move(segment, f, p))
                 for segment, markers in BODY.items() for p in markers.values()]
        frames.append([None if f and rng.random() < gaps else p for p in frame])
    return names, frames


def write_trc(path, names, frames, scale=1000.0, unit="mm"):
    lines = [f"PathFileType\t4\t(X/Y/Z)\t{path.name}",
             "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits",
             f"{RATE}\t{RATE}\t{len(frames)}\t{len(names)}\t{unit}",
             "Frame#\tTime\t" + "\t\t\t".join(names) + "\t\t",
             "\t\t" + "\t".join(f"{a}{i + 1}" for i in range(len(names)) for a in "XYZ"), ""]
    for f, frame in enumerate(frames):
        cells = [f"{scale * x:.6f}" if p else "" for p in frame for x in (p or (0, 0, 0))]
        lines.append(f"{f + 1}\t{f / RATE:.5f}\t" + "\t".join(cells))
    path.write_text("\r\n".join(lines) + "\r\n")
    return path


def write_csv(path, names, frames):
    lines = [",".join(["time"] + [f"{name}_{a}" for name in names for a in "xyz"])]
    for f, frame in enumerate(frames):
        cells = [f"{x:.9g}" if p else "" for p in frame for x in (p or (0, 0, 0))]
        lines.append(",".join([f"{f / RATE:.6f}"] + cells))
    path.write_text("\n".join(lines) + "\n")
    return path


def write_c3d(path, names, frames):
    """Floats of an Intel machine, millimetres."""

    def record(group, name, content):
        body = content + b"\0"
        return bytes([len(name), group & 255]) + name + struct.pack("<H", 2 + len(body)) + body

    labels = b"".join(name.encode().ljust(8) for name in names)
    parameters = b"\x01\x50\x02\x54" + record(-1, b"POINT", b"")
    parameters += record(1, b"LABELS", bytes([255, 2, 8, len(names)]) + labels)
    parameters += record(1, b"UNITS", b"\xff\x01\x02mm")
    parameters += record(1, b"RATE", b"\x04\x00" + struct.pack("<f", RATE))
    header = bytes([2, 0x50]) + struct.pack("<HHHHHfHHf", len(names), 0, 1, len(frames), 0, -1.0,
                                            4, 0, RATE)
    data = b"".join(struct.pack("<4f", *(1000 * x for x in p or (0, 0, 0)), 0 if p else -1)
                    for frame in frames for p in frame)
    path.write_bytes(header.ljust(512, b"\0") + parameters.ljust(1024, b"\0") + data)
    return path


def write_segments(path, segments=SEGMENTS):
    path.write_text(json.dumps(segments))
    return path


def files(name, **more):
    """Markers and segments as files of their own."""
    names, frames = make_markers(**more)
    return (write_trc(cli.WORK / f"{name}.trc", names, frames),
            write_segments(cli.WORK / f"{name}.json"))


def check_leg(found, tolerance):
    joints = {joint["name"]: joint for joint in found["joints"]}
    check_equal(list(joints), ["pelvis", "thigh", "shank"], "the joints")
    check_equal(joints["thigh"]["kind"], "ball", "the hip")
    check_equal(joints["shank"]["kind"], "hinge", "the knee")
    check_near(math.dist(joints["thigh"]["position"], HIP), 0, tolerance, "miss of the hip")
    off = math.hypot(*(joints["shank"]["position"][i] - KNEE[i] for i in (1, 2)))
    check_near(off, 0, tolerance, "miss of the knee's axis")
    check_near(abs(joints["shank"]["axis"][0]), 1, 1e-3 + tolerance, "the knee's axis")
    return joints


@case()
def exact_markers_give_exact_centers():
    names, frames = make_markers()
    segments = write_segments(cli.WORK / "leg.json")
    for write, ending in ((write_trc, ".trc"), (write_csv, ".csv"), (write_c3d, ".c3d")):
        path = write(cli.WORK / f"leg{ending}", names, frames)
        found = run_json("centers", path, "--segments", segments)
        joints = check_leg(found, 2e-6)
        check_equal((found["markers"], found["frames"], found["gaps"], found["referenceFrame"]),
                    (12, FRAMES, 0, 0), "counts")
        check_near(found["fps"], RATE, 1e-3, "fps")
        check_equal(found["warnings"], [], "warnings")
        for joint in (joints["thigh"], joints["shank"]):
            for method in ("fit", "annealed", "twoSided"):
                check_near(joint[method]["distance"], 0, 1e-5, f"{ending} {method}")


@case()
def noisy_markers_with_gaps():
    path, segments = files("noisy", noise=0.001, gaps=0.1)
    found = run_json("centers", path, "--segments", segments)
    joints = check_leg(found, 2e-3)
    check(found["gaps"] > 200, f"{found['gaps']} gaps")
    for joint in (joints["thigh"], joints["shank"]):
        check(joint["agreement"] < 3e-3, f"agreement {joint['agreement']}")
        check(0.0005 < joint["residual"] < 0.002, f"residual {joint['residual']}")
        check(2e-4 < joint["error"] < 3e-3, f"error {joint['error']}")
    bone = math.dist(joints["thigh"]["position"], joints["shank"]["position"])
    flat = [joints["shank"]["position"][0], *KNEE[1:]]
    check_near(bone, math.dist(HIP, flat), 2e-3, "length of the thigh")


@case()
def annealing_is_reproducible():
    path, segments = files("seeds", noise=0.001)
    first, again, other = (run("centers", path, "--segments", segments, "--seed", seed,
                               "--method", "annealing", "--json")[0] for seed in (3, 3, 4))
    check_equal(again, first, "the second run")
    check(other != first, "another seed changes nothing")
    check_leg(json.loads(first), 2e-3)


@case()
def table_tells_what_json_does():
    path, segments = files("table", noise=0.001)
    out, err = run("centers", path, "--segments", segments)
    check_equal(err, "", "standard error")
    rows = [line.split() for line in out.splitlines() if "ball" in line or "hinge" in line]
    check_equal([row[:2] for row in rows], [["thigh", "ball"], ["shank", "hinge"]], "the rows")
    joints = run_json("centers", path, "--segments", segments)["joints"]
    for row, joint in zip(rows, joints[1:]):
        for cell, x in zip(row[2:5], joint["position"]):
            check_near(float(cell), 1000 * x, 0.006, "a coordinate")
        check_near(float(row[5]), 1000 * joint["error"], 0.006, "error")
        for cell, method in ((row[7], "annealed"), (row[8], "twoSided")): # two digits, never only zeros
            apart = 1000 * joint[method]["distance"]
            check_near(float(cell), apart, 0.06 * apart, method)


def read_bvh(path):
    """Names, parents, offsets, and numbers of every frame; six channels at the root, else three."""
    words = path.read_text().split()
    names, parents, offsets, stack, i = [], [], [], [], 1
    while words[i] != "MOTION":
        if words[i] in ("ROOT", "JOINT"):
            names.append(words[i + 1])
            parents.append(stack[-1] if stack else -1)
            offsets.append(tuple(map(float, words[i + 4:i + 7])))
            stack.append(len(names) - 1)
            i += 7
        elif words[i] == "End":
            i += 8
        elif words[i] == "}":
            stack.pop()
            i += 1
        else:
            i += 1
    count, step = int(words[i + 2]), float(words[i + 5])
    numbers = list(map(float, words[i + 6:]))
    width = 3 + 3 * len(names)
    check_equal(len(numbers), count * width, "numbers in the motion")
    return names, parents, offsets, step, [numbers[f * width:(f + 1) * width] for f in range(count)]


def pose_bvh(parents, offsets, numbers):
    """Places of all joints: R = Rz Rx Ry of each, nested."""
    places, turns = [], []
    for j, parent in enumerate(parents):
        z, x, y = (math.radians(a) for a in numbers[3 + 3 * j:6 + 3 * j])

        def local(p, z=z, x=x, y=y):
            return turn((0, 0, 1), z, turn((1, 0, 0), x, turn((0, 1, 0), y, p)))

        if parent < 0:
            places.append(tuple(numbers[:3]))
            turns.append(local)
        else:
            offset = turns[parent](offsets[j])
            places.append(tuple(a + b for a, b in zip(places[parent], offset)))
            turns.append(lambda p, a=turns[parent], b=local: a(b(p)))
    return places


@case()
def motion_goes_with_the_body():
    path, segments = files("motion", gaps=0.02)
    target = cli.WORK / "leg.bvh"
    run("centers", path, "--segments", segments, "-o", target)
    names, parents, offsets, step, frames = read_bvh(target)
    check_equal(names, ["pelvis", "thigh", "shank"], "the joints")
    check_near(step, 1 / RATE, 1e-6, "frame time")
    check_equal(len(frames), FRAMES, "the frames")
    knee = None
    for f, numbers in enumerate(frames):
        places = pose_bvh(parents, offsets, numbers)
        knee = knee or places[2]
        check_near(math.dist(places[1], move("pelvis", f, HIP)), 0, 2e-5, f"hip in frame {f}")
        check_near(math.dist(places[2], move("thigh", f, knee)), 0, 2e-4, f"knee in frame {f}")


@case()
def skeleton_as_json():
    path, segments = files("skeleton")
    target = cli.WORK / "leg_skeleton.json"
    out, _ = run("centers", path, "--segments", segments, "-o", target)
    check(f"{target}: 3 joints" in out, out)
    joints = json.loads(target.read_text())["joints"]
    check_equal([(j["name"], j["parent"]) for j in joints],
                [("pelvis", None), ("thigh", "pelvis"), ("shank", "thigh")], "the joints")
    check_near(math.dist(joints[1]["position"], HIP), 0, 2e-6, "the hip")
    check_near(math.dist(joints[2]["tail"], TIP), 0, 2e-6, "the tip")


@case()
def skeletons_bind_a_mesh():
    """A tube along the leg, bound to the skeleton of the markers, with their motion where it has one."""
    rings, around = 40, 16
    lines, faces = [], []
    for r in range(rings):
        y = 1.0 - r * 0.95 / (rings - 1)
        for k in range(around):
            a = 2 * math.pi * k / around
            lines.append(f"v {0.11 + 0.07 * math.cos(a):.6f} {y:.6f} {0.02 + 0.07 * math.sin(a):.6f}")
    lines += [f"v 0.11 {y} 0.02" for y in (1.0, 0.05)]
    top, bottom = rings * around + 1, rings * around + 2
    for k in range(around):
        n = (k + 1) % around
        faces += [(top, n + 1, k + 1), (bottom, (rings - 1) * around + k + 1,
                                        (rings - 1) * around + n + 1)]
        faces += [(r * around + k + 1, r * around + n + 1, (r + 1) * around + n + 1,
                   (r + 1) * around + k + 1) for r in range(rings - 1)]
    mesh = cli.WORK / "leg.obj"
    mesh.write_text("\n".join(lines + ["f " + " ".join(map(str, f)) for f in faces]) + "\n")
    path, segments = files("bound")
    for ending in (".bvh", ".json"):
        skeleton, bound = cli.WORK / f"bound_skeleton{ending}", cli.WORK / f"bound{ending[1:]}.glb"
        run("centers", path, "--segments", segments, "-o", skeleton)
        run("bind", mesh, "--skeleton", skeleton, "-o", bound)
        info = run_json("info", bound)
        check(set(info["jointNames"]) >= {"pelvis", "thigh", "shank"}, str(info["jointNames"]))
    run("bake", cli.WORK / "boundbvh.glb", "-o", cli.WORK / "bound.pc2", "--volume", "none")


@case()
def another_frame_units_and_axis():
    names, frames = make_markers()
    segments = write_segments(cli.WORK / "space.json")
    in_cm = write_trc(cli.WORK / "cm.trc", names, frames, 100.0, "mm")
    found = run_json("centers", in_cm, "--segments", segments, "--units", "cm", "--frame", 37)
    check_equal(found["referenceFrame"], 37, "the reference frame")
    hip = found["joints"][1]["position"]
    check_near(math.dist(hip, move("pelvis", 37, HIP)), 0, 2e-6, "the hip in frame 37")
    turned = [[(p[0], -p[2], p[1]) for p in frame] for frame in frames]
    z_up = write_csv(cli.WORK / "z.csv", names, turned)
    check_leg(run_json("centers", z_up, "--segments", segments, "--up", "z"), 2e-6)


@case()
def few_markers_on_the_last_segment():
    names, frames = make_markers(noise=0.0005)
    path = write_trc(cli.WORK / "few.trc", names, frames)
    segments = json.loads(json.dumps(SEGMENTS))
    segments["segments"][2]["markers"] = ["tip"]
    few = write_segments(cli.WORK / "few.json", segments)
    found = run_json("centers", path, "--segments", few)
    joints = check_leg(found, 3e-3)
    check_equal(joints["shank"]["twoSided"], None, "the two-sided fit")
    run("centers", path, "--segments", few, "-o", cli.WORK / "few.bvh")


@case()
def forefinger_of_the_embedded_hand():
    """Markers of the model, with its noise: the joints of the model are the truth."""
    names = ["index_metacarpal", "index_proximal", "index_middle", "index_distal"]
    segments = [{"name": name, "markers": [f"{name}_{i}" for i in (1, 2, 3)]} for name in names]
    for child, parent in zip(segments[1:], names):
        child["parent"] = parent
    path = write_segments(cli.WORK / "finger.json", {"segments": segments})
    skin = cli.WORK / "finger_hand.glb"
    run("model", "hand", "-o", skin, "--vertices", 2000)
    gltf = Gltf(skin)
    truth = {node["name"]: [row[3] for row in gltf.get_world(i)[:3]]
             for i, node in enumerate(gltf.json["nodes"]) if "name" in node}
    squares, within = [], []
    for seed in range(1, 6):
        trc = cli.WORK / f"finger{seed}.trc"
        run("model", "hand", "--markers", trc, "--seed", seed)
        joints = run_json("centers", trc, "--segments", path)["joints"]
        kinds = [joint["kind"] for joint in joints[1:]]
        check_equal(kinds, ["ball", "hinge", "hinge"], "the kinds")
        # Bones, which the noise of the one frame that is told does not move.
        for a, b in zip(joints[1:], joints[2:]):
            true = math.dist(truth[a["name"]], truth[b["name"]])
            squares.append((math.dist(a["position"], b["position"]) - true) ** 2)
        within += [math.dist(j["position"], truth[j["name"]]) <= 2 * j["error"] for j in joints[1:]]
    rms = math.sqrt(sum(squares) / len(squares))
    check(rms < 0.002, f"bone lengths are off by {1000 * rms:.2f} mm")
    check(sum(within) >= 0.9 * len(within), f"{sum(within)} of {len(within)} within twice the error")
    skeleton = cli.WORK / "finger.bvh"
    run("centers", cli.WORK / "finger1.trc", "--segments", path, "-o", skeleton)
    check_equal(read_bvh(skeleton)[0], names, "joints of the skeleton")


@case()
def wrong_usage():
    path, segments = files("usage")
    for wrong in (["centers"], ["centers", path], ["centers", path, "--segments"],
                  ["centers", path, "--segments", segments, "--method", "guess"],
                  ["centers", path, "--segments", segments, "--units", "mile"],
                  ["centers", path, "--segments", segments, "--up", "x"],
                  ["centers", path, "--segments", segments, "--fps", "-1"],
                  ["centers", path, "--segments", segments, "--nosuchoption"]):
        run_wrong(*wrong)


@case()
def failures_in_words():
    names, frames = make_markers()
    path = write_trc(cli.WORK / "fail.trc", names, frames)
    segments = write_segments(cli.WORK / "fail.json")
    still = write_trc(cli.WORK / "still.trc", names, frames[:1] * 50)
    broken = cli.WORK / "broken.trc"
    broken.write_text(path.read_text().replace("\t0.01667\t", "\tnoon\t"))
    short = write_c3d(cli.WORK / "short.c3d", names, frames)
    short.write_bytes(short.read_bytes()[:5000])
    misspelt = cli.WORK / "misspelt.json"
    misspelt.write_text(segments.read_text().replace('"t3"', '"t33"'))
    hidden = write_trc(cli.WORK / "hidden.trc", names,
                       [[None if i in (1, 2) else p for i, p in enumerate(f)] for f in frames])
    cases = [
        (still, still, segments, "turns too little"),
        (broken, broken, segments, 'line 8: the time is "noon"'),
        (short, short, segments, "byte 5000: the file ends in frame"),
        (misspelt, path, misspelt, 'there is no marker "t33", perhaps "t3"'),
        (hidden, hidden, segments, "2 of its 4 markers are seen"),
        (cli.WORK / "none.trc", cli.WORK / "none.trc", segments, "cannot open"),
        (cli.WORK / "none.json", path, cli.WORK / "none.json", "cannot open"),
        (segments, segments, segments, "expected .c3d .trc or .csv"),
    ]
    for file, markers, listing, words in cases:
        err = run_failing(file, "centers", markers, "--segments", listing)
        check(words in err, f"{words!r} is not in {err!r}")
    err = run_failing(path, "centers", path, "--segments", segments, "--frame", "900")
    check("there is no frame 900" in err, err)
    for target in (cli.WORK / "no/leg.bvh", cli.WORK / "no/leg.json"):
        run_failing(target, "centers", path, "--segments", segments, "-o", target)


if __name__ == "__main__":
    cli.main()
