# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Plots and reports from outside: test_cli_report.py PROGRAM ASSETS_DIR

They are well-formed, tell what was measured, need nothing from elsewhere, and open in a browser
without a word on its console.
"""

import base64
import json
import os
import re
import shutil
import subprocess
from xml.etree import ElementTree

import cli_helper as cli
from cli_helper import Skipped, asset, case, check, check_equal, model, run, run_failing, run_wrong
from cli_readers import check_png, check_svg


def check_xml(path):
    if shutil.which("xmllint") is None:
        raise Skipped("xmllint is not installed")
    result = subprocess.run(["xmllint", "--noout", "--nonet", str(path)], capture_output=True,
                            text=True)
    check(result.returncode == 0, result.stderr[-2000:])


@case("auto", "light", "dark")
def plot_theme(theme):
    out = cli.WORK / f"{theme}.svg"
    run("measure", model("arm"), "--fps", 5, "--plot", out, "--theme", theme)
    check_xml(out)
    text = out.read_text()
    check_equal(("prefers-color-scheme" in text, "<style>" in text),
                (theme == "auto", theme != "light"), "style of the plot")
    words = check_svg(out)
    for word in ("linear", "dual quaternion", "corrected", "to keep", "time (s)", "volume (%"):
        check(word in words, f"the plot does not say {word!r}")
    run_wrong("measure", model("arm"), "--plot", out, "--theme", "grey")


def write_report(name, path, *options):
    out = cli.WORK / f"{name}.html"
    run("measure", path, "--fps", 6, "--report", out, *options)
    check_xml(out)
    return out


@case()
def report_tells_everything():
    settings = cli.WORK / "rubber <&>.json"
    settings.write_text('{"volume": {"default": {"profile": "rubber"}}}\n')
    arm = model("arm")
    out = write_report("arm", arm, "--settings", settings)
    check_equal(out.read_bytes(), write_report("again", arm, "--settings", settings).read_bytes(),
                "the report made again")
    text = out.read_text()
    root = ElementTree.fromstring(text)
    html = "{http://www.w3.org/1999/xhtml}"
    words = " ".join(root.itertext())
    measured = cli.run_json("measure", arm, "--fps", 6, "--settings", settings)
    for joint in measured["joints"]:
        check(abs(joint["loss"]) < 1e-5 or joint["name"] in words, f"no word of {joint['name']}")
    for word in (f"{100 * measured['worst']['linear']:+.2f} %".replace("-", "\u2212"), '"profile": "rubber"', "exact",
                 str(settings), "Warnings", "Worst frames", "frames 0 to 18 at 6 fps"):
        check(word in words, f"the report does not say {word!r}")
    pictures = root.findall(f".//{html}img")
    check(len(pictures) >= 2, f"{len(pictures)} pictures")
    for i, picture in enumerate(pictures):
        kind, data = picture.get("src").split(",", 1)
        check_equal(kind, "data:image/png;base64", "where the picture is")
        path = cli.WORK / f"inline{i}.png"
        path.write_bytes(base64.b64decode(data, validate=True))
        width, height = int(picture.get("width")), int(picture.get("height"))
        check_png(path, width, height)
        check(picture.get("alt"), "a picture without words")
    check_equal(len(root.findall(".//{http://www.w3.org/2000/svg}svg")), 2, "plots, broad and narrow")
    check(not re.search(r"(^|\s)-\d", " ".join(root.find(f"{html}body").itertext()).replace(
        settings.read_text(), "")), "a hyphen stands for a minus sign")
    check("http" not in re.sub(r"xmlns=.http://www.w3.org/\S+", "", text), "it reaches outside")


@case()
def report_of_plain_skinning():
    text = write_report("plain", model("cylinder"), "--volume", "none").read_text()
    check("corrected" not in text, "plain skinning has no correction to tell of")


@case()
def report_warns():
    text = write_report("warns", asset("RecursiveSkeletons.glb"), "--frames", "0:0").read_text()
    check("the joints stand at" in text, "the warnings are not told")


@case()
def report_of_an_animation_without_a_name():
    text = write_report("unnamed", asset("CesiumMan.glb"), "--frames", "0:3").read_text()
    check("<td>frames 0 to 3 at 6 fps</td>" in text, re.findall(r"<td>[^<]*frames[^<]*</td>", text))


@case("cylinder", "cat")
def report_warns_of_flips_that_grew(name):
    """As many as the measure tells, where they are more than plain skinning has."""
    path = model(name)
    text = write_report(f"flips_{name}", path).read_text()
    flips = cli.run_json("measure", path, "--fps", 6)["flippedFaces"]
    told = re.search(r"turns faces over: (\d+) in its worst frame, (\d+) under", text)
    grown = flips["corrected"] > flips["linear"]
    check_equal(grown, name == "cat", f"flips of the {name} that grew")
    check_equal(bool(told), grown, f"told of {flips}")
    check(not told or [int(n) for n in told.groups()] == [flips["corrected"], flips["linear"]],
          f"{told and told[0]} of {flips}")


@case()
def report_shows_different_joints():
    """Pictures of skin are each of another joint."""
    text = write_report("joints", model("finger")).read_text()
    places = re.findall(r"<figcaption>Frame \d+, at [\d.]+ s, near ([^:]+): (.*?)</figcaption>", text)
    shown = [joint for joint, words in places if "moves the skin" not in words]
    check(len(shown) >= 2 and len(set(shown)) == len(shown), f"pictures of {places}")


@case()
def report_that_cannot_be_written():
    run_failing("no/a.html", "measure", model("arm"), "--report", "no/a.html")


@case()
def report_opens_in_a_browser():
    pages = [write_report("browser", model("arm")),
             write_report("browser_plain", model("cylinder"), "--volume", "none")]
    environment = dict(os.environ)
    paths = [str(cli.REPOSITORY / "build/tools/node_modules"), environment.get("NODE_PATH")]
    environment["NODE_PATH"] = ":".join(filter(None, paths))
    command = ["node", str(cli.REPOSITORY / "scripts/open_page.mjs"), *map(str, pages)]
    try:
        result = subprocess.run(command, capture_output=True, text=True, env=environment,
                                timeout=120)
    except FileNotFoundError:
        raise Skipped("node is not installed") from None
    if result.returncode == 2:
        raise Skipped(f"the pages are not opened: {result.stderr.strip()}")
    check(result.returncode == 0, result.stdout[-1000:] + result.stderr[-3000:])
    for line in result.stdout.splitlines():
        found = json.loads(line)
        check(found["pictures"] and found["plots"] >= 3 and found["rows"] > 5, line)


if __name__ == "__main__":
    cli.main()
