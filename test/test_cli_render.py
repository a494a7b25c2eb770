# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Pictures and films from outside: test_cli_render.py PROGRAM ASSETS_DIR [--write-golden]

Pictures are read back with a PNG reader of our own. Golden pictures are kept as small grids of
brightness in golden_pictures.json and compared with a tolerance; --write-golden writes them anew,
to be looked at before they are committed.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import cli_helper as cli
from png_picture import Picture
from cli_helper import (Skipped, asset, case, check, check_equal, list_files, model, new_folder, run,
                        run_failing, run_wrong)
from cli_readers import edit_gltf

GOLDEN = Path(__file__).with_name("golden_pictures.json")
WRITES = False


def render(name, path, *options):
    out = cli.WORK / f"{name}.png"
    text, err = run("render", path, "-o", out, *options)
    said = [line for line in err.splitlines() if ": warning: " not in line]
    check_equal(said, [], "standard error")
    check(str(out) in text, f"it does not tell of {out}: {text!r}")
    return out


SMALL = ("--size", "192x144")


# ---- golden pictures -----------------------------------------------------------------------------

GOLDEN_CASES = {
    "elephant": ("elephant", "--time", 2, "--preset", "organic"),
    "elephant side": ("elephant", "--time", 2, "--view", "side", "--background", "black"),
    "elephant displacement": ("elephant", "--time", 2, "--show", "displacement", "--arrows", 2),
    "elephant gamma": ("elephant", "--time", 2, "--show", "gamma"),
    "elephant weights": ("elephant", "--show", "weights"),
    "elephant bones": ("elephant", "--time", 2, "--show", "bones", "--view", "side"),
    "giraffe": ("giraffe", "--time", 2, "--preset", "rubber"),
    "giraffe regions": ("giraffe", "--show", "regions", "--view", "front"),
    "cylinder": ("cylinder", "--frame", 30, "--compare"),
    "cylinder cut": ("cylinder", "--frame", 30, "--cut", "bone1", "--view", "front"),
    "arm": ("arm", "--frame", 30, "--wireframe", "--view", "1,0.5,-0.2"),
}
MADE = {}


@case(*GOLDEN_CASES)
def golden_picture(name):
    character, *options = GOLDEN_CASES[name]
    grid = Picture(render(name.replace(" ", "_"), model(character), *SMALL, *options)).get_grid()
    MADE[name] = grid
    wanted = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    if WRITES:
        return
    check(name in wanted, f"golden_pictures.json has no {name}")
    differences = [abs(a - b) for a, b in zip(grid, wanted[name], strict=True)]
    mean = sum(differences) / len(differences)
    check(mean <= 1.5 and max(differences) <= 24,
          f"brightness differs by {mean:.2f} in the mean, at most {max(differences)}")


@case()
def golden_pictures_tell_differences():
    """The tolerance is worth something: neighbouring golden pictures are far outside of it."""
    wanted = json.loads(GOLDEN.read_text())
    for a, b in (("elephant", "elephant displacement"), ("elephant gamma", "elephant weights")):
        differences = [abs(x - y) for x, y in zip(wanted[a], wanted[b], strict=True)]
        check(max(differences) > 24, f"{a} and {b} look alike")


# ---- what is promised ----------------------------------------------------------------------------


@case()
def same_bytes_twice_and_for_any_threads():
    elephant = model("elephant")
    for i, options in enumerate(([], ["--compare"], ["--show", "gamma"])):
        made = [render(f"same{i}_{k}", elephant, *SMALL, "--time", 2, "--threads", threads,
                       *options).read_bytes() for k, threads in enumerate((1, 2, 2, 5))]
        check(len(set(made)) == 1, f"the pictures differ with {options}")


@case("192x144", "64x64", "301x127")
def size(text):
    picture = Picture(render("size", model("cylinder"), "--size", text))
    check_equal(f"{picture.width}x{picture.height}", text, "size of the picture")


@case("front", "back", "side", "left", "right", "top", "three-quarter", "1,2,3", "-1,0,0.5")
def view_frames_the_character(view):
    picture = Picture(render("view", model("arm"), *SMALL, "--frame", 30, "--view", view,
                             "--no-ground"))
    left, top, right, bottom = picture.find_box()
    for name, found, limit in (("left", left, picture.width), ("top", top, picture.height),
                               ("right", picture.width - 1 - right, picture.width),
                               ("bottom", picture.height - 1 - bottom, picture.height)):
        check(found >= 0.05 * limit, f"only {found} pixels are free at the {name}")
    tight = min(left + picture.width - right, top + picture.height - bottom)
    check(tight <= 0.2 * max(picture.width, picture.height), "the character is small")


@case()
def side_and_left_are_one_view():
    a = render("left", model("arm"), *SMALL, "--view", "left").read_bytes()
    check_equal(a, render("side", model("arm"), *SMALL, "--view", "side").read_bytes(), "side")


@case()
def backgrounds():
    cylinder = model("cylinder")
    corner = {"white": (255, 255, 255, 255), "black": (0, 0, 0, 255), "#1a2b3c": (26, 43, 60, 255),
              "#f80": (255, 136, 0, 255)}
    for color, wanted in corner.items():
        picture = Picture(render("back", cylinder, *SMALL, "--background", color))
        check_equal(picture.get(1, 1), wanted, f"corner on {color}")
    picture = Picture(render("clear", cylinder, *SMALL, "--background", "transparent"))
    check_equal(picture.channels, 4, "channels of a transparent picture")
    check_equal(picture.get(1, 1)[3], 0, "opacity of the corner")
    check_equal(picture.get(96, 72)[3], 255, "opacity of the skin")


@case()
def color_of_the_skin():
    picture = Picture(render("blue", model("elephant"), *SMALL, "--color", "#0000ff", "--view", "side"))
    r, g, b, _ = picture.get(96, 72)
    check(b > 2 * max(r, g), f"the skin is {r}, {g}, {b}, wanted blue")


@case()
def a_still_frame_and_its_time_agree():
    arm = model("arm")
    a = render("by_frame", arm, *SMALL, "--frame", 15).read_bytes()
    check_equal(a, render("by_time", arm, *SMALL, "--time", 0.5).read_bytes(), "the same moment")
    check(a != render("first", arm, *SMALL).read_bytes(), "the first frame looks the same")
    check_equal(render("zero", arm, *SMALL, "--frame", 0).read_bytes(),
                render("first", arm, *SMALL).read_bytes(), "the first frame")


@case()
def rotate_bends_the_bind_pose():
    cylinder = model("cylinder")
    plain = Picture(render("straight", cylinder, *SMALL, "--rotate", "bone1=0,0,1,0", "--no-ground",
                           "--view", "front")).find_box()
    bent = Picture(render("bent", cylinder, *SMALL, "--rotate", "bone1=0,0,1,90", "--no-ground",
                          "--view", "front")).find_box()
    ratios = [(b[2] - b[0]) / (b[3] - b[1]) for b in (plain, bent)]
    check(abs(ratios[0] - ratios[1]) > 0.3, f"the outline stays as it was: {ratios}")


@case()
def frame_all_sees_the_whole_animation():
    """Every frame has the same camera, so what stands still stays where it is."""
    arm = model("arm")
    rows = []
    for frame in (0, 30):
        picture = Picture(render("all", arm, *SMALL, "--frame", frame, "--frame-all", "--view",
                                 "side", "--no-ground"))
        rows.append(picture.rows)
        picture.find_box()
    same = sum(a == b for a, b in zip(rows[0], rows[1]))
    check(same > 0, "nothing stands still")


@case()
def compare_draws_each_take():
    """Panels are the pictures of each take alone but for the camera, which they share."""
    cylinder = model("cylinder")
    out = render("three", cylinder, "--frame", 30, "--compare", "--size", "576x144")
    three = Picture(out)
    thirds = [[row[3 * 192 * i:3 * 192 * (i + 1)] for row in three.rows[:120]] for i in range(3)]
    check(thirds[0] != thirds[2] and thirds[0] != thirds[1], "takes look alike")
    two = Picture(render("two", cylinder, "--frame", 30, "--compare", "--volume", "none",
                         "--size", "384x144"))
    halves = [[row[3 * 192 * i:3 * 192 * (i + 1)] for row in two.rows[:120]] for i in range(2)]
    check(halves[0] != halves[1], "plain takes look alike")


@case("weights", "gamma", "displacement")
def values_have_a_scale(show):
    """The legend's bar goes from pale to dark evenly, so everyone can read it."""
    joint = [] if show == "displacement" else ["--joint", "spine2"]
    picture = Picture(render("scale", model("elephant"), "--size", "320x240", "--time", 2, "--show",
                             show, *joint, "--view", "side"))
    runs = []
    for x in range(picture.width * 3 // 4, picture.width):
        column = [picture.get_brightness(x, y) for y in range(picture.height)]
        rising, best = 0, 0
        for a, b in zip(column, column[1:]):
            rising = rising + 1 if 0 <= b - a < 12 and b < 245 else 0
            best = max(best, rising)
        runs.append(best)
    check(max(runs) > 60, f"no column of the picture is a scale: {max(runs)}")


def count_ink(picture):
    """Pixels of the right third that are grey and dark, as letters are."""
    return sum(max(p[:3]) < 150 and max(p[:3]) - min(p[:3]) < 8
               for p in (picture.get(x, y) for x in range(picture.width * 2 // 3, picture.width)
                         for y in range(picture.height)))


@case()
def joints_without_names_have_numbers():
    def forget(gltf):
        for node in gltf["nodes"]:
            node.pop("name", None)

    path = edit_gltf(model("arm"), forget, cli.WORK / "no_names.glb")
    inks = [count_ink(Picture(render("names", glb, "--size", "480x360", "--show", "regions",
                                     "--no-ground"))) for glb in (model("arm"), path)]
    check(min(inks) > 100, f"ink of names and of numbers: {inks}")


@case()
def nothing_that_moved_is_said():
    """One line in place of a title, a unit and no scale."""
    options = ["--size", "480x360", "--show", "displacement", "--no-ground"]
    bent = count_ink(Picture(render("bent", model("cylinder"), *options, "--time", 1)))
    rest = count_ink(Picture(render("rest", model("cylinder"), *options, "--rotate", "bone1=0,0,1,0")))
    check(30 < rest < 0.6 * bent, f"ink of the legend at rest {rest}, bent {bent}")


@case()
def flat_meshes_have_no_volume_to_compare():
    path = asset("SimpleSkin.gltf")
    picture = Picture(render("flat", path, "--size", "480x200", "--compare"))
    label = [picture.get(x, y) for x in range(160) for y in range(160, 200)]
    ink = sum(max(p[:3]) < 150 for p in label)
    check(5 < ink < 80, f"ink of the word linear alone: {ink}")


@case("weights", "displacement")
def small_pictures_have_no_legend(show):
    for size, least, most in (("64x64", 0, 0), ("320x320", 30, 10000)):
        picture = Picture(render("tiny", model("cylinder"), "--size", size, "--show", show,
                                 "--time", 1, "--no-ground"))
        check(least <= count_ink(picture) <= most, f"{size}: ink {count_ink(picture)}")


@case()
def joint_of_weights():
    elephant = model("elephant")
    grids = [Picture(render("joint", elephant, *SMALL, "--show", "weights", "--joint",
                            joint)).get_grid() for joint in ("head", "pelvis")]
    check(max(abs(a - b) for a, b in zip(*grids)) > 30, "two joints look alike")
    run_failing(elephant, "render", elephant, "-o", "no.png", "--show", "gamma", "--joint", "horn")


@case()
def bones_lie_below_the_skin():
    """Given and automatic ones, also under plain takes; the skeleton where there are none."""
    hand, bones = cli.WORK / "boned.glb", cli.WORK / "boned_bones.glb"
    run("model", "hand", "-o", hand, "--vertices", 3000, "--bones", bones)
    grids = []
    for i, value in enumerate(({}, {"bones": "auto"}, {"bones": [{"mesh": str(bones)}]})):
        told = cli.WORK / f"boned{i}.json"
        told.write_text(json.dumps(value))
        options = ("--settings", told, "--show", "bones", "--view", "top")
        grids.append(Picture(render(f"boned{i}", hand, *SMALL, *options)).get_grid())
        if i > 0:
            three = Picture(render("boned_all", hand, *options, "--size", "576x144", "--compare",
                                   "--frame", 0))
            thirds = [b"".join(row[576 * k:576 * (k + 1)] for row in three.rows[:118])
                      for k in range(3)]
            for third in thirds[1:]:
                far = sum(abs(a - b) > 24 for a, b in zip(thirds[0], third))
                check(far < 0.002 * len(third), f"at rest {far} bytes of a take are others")
    for a, b in ((0, 1), (0, 2), (1, 2)):
        check(max(abs(x - y) for x, y in zip(grids[a], grids[b])) > 8, f"bones {a}, {b} look alike")


@case("CesiumMan.glb", "Fox.glb", "human_makehuman.glb", "Yeti.glb", "RecursiveSkeletons.glb",
      "SimpleSkin.gltf", "giraffe_vs.glb", "hand_bones.glb")
def other_peoples_characters(name):
    picture = Picture(render("other", asset(name), *SMALL, "--background", "#fefefe"))
    picture.find_box(background=(254, 254, 254, 255))


def mean_color(picture):
    """Of what is not the white background or a shadow on it."""
    sums, count = [0, 0, 0], 0
    for y in range(0, picture.height, 2):
        for x in range(0, picture.width, 2):
            r, g, b, _ = picture.get(x, y)
            if max(r, g, b) - min(r, g, b) > 6:
                sums = [s + c for s, c in zip(sums, (r, g, b))]
                count += 1
    check(count > 200, f"only {count} pixels have a colour")
    return [s / count for s in sums]


@case()
def skin_that_came_inside_out():
    """Faces of this file look inwards; its skin is clay like others, and not the red of insides."""
    giraffe = render("inside_out", asset("giraffe_vs.glb"), *SMALL)
    fox = render("outside", asset("Fox.glb"), *SMALL)
    for a, b in zip(mean_color(Picture(giraffe)), mean_color(Picture(fox)), strict=True):
        check(abs(a - b) < 25, f"channels {a:.0f} and {b:.0f}")


@case()
def light_greys_are_clay():
    """A mesh without a colour of its own, bound from an OBJ file, is not lost on white."""
    bound = cli.WORK / "bound.glb"
    run("bind", model("arm", ".obj"), "-o", bound, "--skeleton", model("arm"))
    r, _, b = mean_color(Picture(render("bound", bound, *SMALL)))
    check(r > b + 20, f"red {r:.0f} and blue {b:.0f}")


@case()
def view_shows_the_skin():
    """Straight at a stump nobody sees a hand; others are seen three-quarter."""
    for path, moves in ((asset("hand_bones.glb"), True), (model("elephant"), False),
                        (model("cylinder"), False), (asset("Fox.glb"), False)):
        pictures = [render("seen", path, *SMALL, *view).read_bytes()
                    for view in ((), ("--view", "three-quarter"))]
        check_equal(pictures[0] != pictures[1], moves, f"{path} is seen from elsewhere")


@case()
def wrong_usage():
    glb = model("cylinder")
    good = ["render", glb, "-o", "never.png"]
    wrong = [["render"], ["render", glb], [*good, "--size"], [*good, "--show", "nothing"],
             [*good, "--frame", 0, "--time", 0], [*good, "--frame", -1],
             [*good, "--rotate", "bone1=0,0,0,1"], [*good, "--show", "gamma", "--volume", "none"],
             [*good, "--show", "displacement", "--volume", "none"],
             [*good, "--arrows", 2, "--volume", "none"],
             [*good, "--show", "regions", "--joint", "bone1"],
             [*good, "--cut", "bone1", "--plane", "0,0,0"], [*good, "--arrows", "1e9"],
             [*good, "--animate", "never.mp4", "--rotate", "bone1=0,0,1,1"],
             [*good, "--animate", "never.mp4", "--cut", "bone1"]]
    values = {"--size": ["", "10x10", "640", "640x", "640x480x2", "99999x10", "x", "-5x-5"],
              "--view": ["", "behind", "0,0,0", "1,2", "1,2,3,4", "nan,0,0"],
              "--background": ["", "#12", "#12345g", "mauve"], "--color": ["", "transparent"]}
    wrong += [[*good, option, text] for option, texts in values.items() for text in texts]
    before = list_files(cli.WORK)
    for arguments in wrong:
        run_wrong(*arguments)
    check_equal(list_files(cli.WORK), before, "what is in the folder")


@case()
def what_cannot_be_done():
    glb = model("cylinder")
    run_failing("missing.glb", "render", "missing.glb", "-o", "a.png")
    run_failing("no/a.png", "render", glb, "-o", "no/a.png")
    run_failing(glb, "render", glb, "-o", "a.png", "--frame", 1000)
    run_failing(glb, "render", glb, "-o", "a.png", "--cut", "elbow")
    err = run_failing(glb, "render", glb, "-o", "a.png", "--show", "flesh")
    check("--preset flesh" in err, f"it does not say what to do: {err}")
    elephant = model("elephant")
    run_failing(elephant, "render", elephant, "-o", "a.png", "--show", "flesh", "--preset", "flesh",
                "--joint", "tail1")
    run_failing("a.mp4", "render", glb, "--animate", "a.mp4", "--background", "transparent")


# ---- films ---------------------------------------------------------------------------------------


def need_ffmpeg():
    if shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None:
        raise Skipped("ffmpeg is not installed")


def probe(path):
    words = "stream=width,height,nb_read_frames,r_frame_rate"
    out = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", words, "-of",
                          "json", str(path)], capture_output=True, text=True, check=True).stdout
    return json.loads(out)["streams"][0]


@case(".mp4", ".gif")
def film(ending):
    need_ffmpeg()
    out = cli.WORK / f"film{ending}"
    text, err = run("render", model("cylinder"), "--animate", out, "--size", "97x81", "--frames",
                    "3:8", "--fps", 25)
    check_equal(err, "", "standard error")
    check("6 frames" in text, text)
    told = probe(out)
    even = 1 if ending == ".mp4" else 0
    check_equal((told["width"], told["height"]), (97 + even, 81 + even), "size of the film")
    check_equal((told["nb_read_frames"], told["r_frame_rate"]), ("6", "25/1"), "frames and rate")


@case()
def film_frames_are_the_pictures():
    """A film's frame is the still with the same camera, up to the palette's colours."""
    need_ffmpeg()
    out, frame = cli.WORK / "frames.gif", cli.WORK / "frame.png"
    cylinder = model("cylinder")
    run("render", cylinder, "--animate", out, *SMALL, "--frames", "26:34", "--threads", 2)
    subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", str(out), "-vf", "select=eq(n\\,4)",
                    "-frames:v", "1", "-pix_fmt", "rgb24", str(frame)], check=True)
    still = Picture(render("still", cylinder, *SMALL, "--frame", 30, "--frames", "26:34",
                           "--frame-all")).get_grid()
    differences = [abs(a - b) for a, b in zip(Picture(frame).get_grid(), still)]
    check(max(differences) <= 6, f"brightness differs by {max(differences)}")


@case()
def film_goes_along():
    """The camera of a film follows a cat that jumps, so that it is larger than from one place."""
    need_ffmpeg()
    out, frame, heights = cli.WORK / "jump.gif", cli.WORK / "jump.png", []
    for options in ((), ("--frame-all",)):
        run("render", model("cat"), "--animate", out, *SMALL, "--animation", 1, "--fps", 10,
            "--no-ground", *options)
        subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", str(out), "-vf", "select=eq(n\\,8)",
                        "-frames:v", "1", "-pix_fmt", "rgb24", str(frame)], check=True)
        _, top, _, bottom = Picture(frame).find_box()
        heights.append(bottom - top)
    check(heights[0] > 1.05 * heights[1], f"heights {heights}")


@case()
def film_without_ffmpeg():
    environment = os.environ["PATH"]
    before = list_files(cli.WORK)
    try:
        os.environ["PATH"] = str(cli.WORK / "empty")
        _, err = run("render", model("cylinder"), "--animate", "a.mp4", status=1)
    finally:
        os.environ["PATH"] = environment
    cli.check_one_line(err, "turgor: a.mp4: ")
    check("ffmpeg" in err and "install" in err, err)
    check_equal([f for f in list_files(cli.WORK) if f not in before and "cylinder" not in f[0]], [],
                "what it left")


@case()
def film_that_ffmpeg_refuses():
    """What ffmpeg says becomes the one line; nothing is left behind."""
    need_ffmpeg()
    with new_folder("broken") as folder:
        fake = folder / "ffmpeg"
        fake.write_text("#!/bin/sh\necho the disk is made of cheese >&2\nexit 1\n")
        fake.chmod(0o755)
        environment = os.environ["PATH"]
        try:
            os.environ["PATH"] = f"{folder}:{environment}"
            _, err = run("render", model("cylinder"), "--animate", folder / "a.mp4", *SMALL,
                         "--frames", "0:2", status=1)
        finally:
            os.environ["PATH"] = environment
        cli.check_one_line(err, f"turgor: {folder / 'a.mp4'}: ")
        check("made of cheese" in err, err)
        check_equal(sorted(os.listdir(folder)), ["ffmpeg"], "what is left")


@case(signal.SIGINT, signal.SIGTERM)
def interrupted_film(number):
    need_ffmpeg()
    with new_folder(f"film_{number.name}") as folder:
        process = cli.start("render", model("elephant"), "--animate", folder / "a.mp4", "--fps", 60)
        try:
            cli.wait_until(lambda: any(folder.iterdir()), process, "the temporary file")
            time.sleep(1.0)
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
        check_equal(process.returncode, 1, "the status")
        check("interrupted" in err.decode(), err)
        check_equal(list(folder.iterdir()), [], "what is left")


@case()
def nothing_is_left_behind():
    left = [str(p) for p in cli.WORK.rglob("*") if ".tmp-" in p.name]
    check_equal(left, [], "temporary files")


if __name__ == "__main__":
    WRITES = "--write-golden" in sys.argv
    if WRITES:
        sys.argv.remove("--write-golden")
    try:
        cli.main()
    finally:
        if WRITES:
            lines = [f"{json.dumps(name)}: {json.dumps(MADE[name])}" for name in MADE]
            GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
