# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""The manuals run as written: test_cli_docs.py PROGRAM ASSETS_DIR

Every `turgor ...` line of README.md and of docs/*.md, in a folder that has the files a reader would
have. Commands in running text count too when they name a file. A JSON example that is introduced
with its name, "`arm.json`:", is a file there.
"""

import json
import re
import shlex
import shutil

import cli_helper as cli
import test_cli_centers as centers
from cli_helper import case, check, model, run
from cli_readers import Gltf, edit_gltf

PAGES = [cli.REPOSITORY / "README.md", *sorted((cli.REPOSITORY / "docs").glob("*.md"))]
WATCH = "turgor render hero.glb --focus elbow.L --bend elbow.L=90 --settings hero.json --watch -o elbow.png"
ELSEWHERE = {"turgor studio hero.glb --settings hero.json": "test_cli_studio.py serves it",
             "turgor paper -o paper": "test_cli_paper.py looks at its pages",
             WATCH: "test_cli_joints.py ends it"}


def read_page(path):
    """Commands in order, and example files by name."""
    commands, files, fence, name = [], {}, None, None
    for line in path.read_text().splitlines():
        mark = re.match(r"\s*```(\w*)", line)
        if mark and fence is None:
            fence, body = mark[1], []
        elif mark:
            if fence == "json" and name:
                files[name] = "\n".join(body) + "\n"
            fence = name = None
        elif fence is not None:
            body.append(line)
        elif re.match(r"\s{4,}turgor ", line):
            commands.append(line.split(" # ")[0].strip())
        else:
            commands += [text for text in re.findall(r"`(turgor \w+ [^`]+)`", line)
                         if re.match(r"turgor \w+ \w+\.\w+ ", text)]
            told = re.search(r"`(\w+\.json)`:$", line)
            name = told[1] if told else name if not line.strip() else None
    return commands, files


def write_bvh(path, glb):
    """The joints of a GLB as they stand, and one frame of them."""
    gltf = Gltf(glb)
    joints = gltf.json["skins"][0]["joints"]
    parents = gltf.get_parents()

    def write(joint, above):
        here = [row[3] for row in gltf.get_world(joint)[:3]]
        children = [j for j in joints if parents.get(j) == joint]
        offset = " ".join(repr(a - b) for a, b in zip(here, above))
        text = f"{gltf.json['nodes'][joint]['name']}\n{{\nOFFSET {offset}\n"
        text += "CHANNELS 3 Zrotation Xrotation Yrotation\n"
        for child in children:
            text += "JOINT " + write(child, here)
        return text + ("" if children else "End Site\n{\nOFFSET 0 0 0\n}\n") + "}\n"

    root = next(j for j in joints if parents.get(j) not in joints)
    frame = " ".join(["0 0 0"] * len(joints))
    path.write_text(f"HIERARCHY\nROOT {write(root, (0, 0, 0))}MOTION\nFrames: 1\nFrame Time: 0.1\n"
                    f"{frame}\n")


def stock(folder):
    """What a reader has: a character with its mesh and skeleton, settings, and motion capture."""
    hero = edit_gltf(model("cat"), lambda gltf: gltf["animations"].pop(0), folder / "hero.glb")
    shutil.copy(model("cat", ".obj"), folder / "body.obj")
    write_bvh(folder / "hero.bvh", hero)
    (folder / "hero.json").write_text('{"volume": {"joints": {"elbow.L": {"profile": "muscle"}}}}')
    if cli.ASSETS and (cli.ASSETS / "Trex.fbx").exists():
        shutil.copy(cli.ASSETS / "Trex.fbx", folder / "hero.fbx")
    centers.write_c3d(folder / "walk.c3d", *centers.make_markers())
    centers.write_segments(folder / "body.json")


@case(*(str(page.relative_to(cli.REPOSITORY)) for page in PAGES))
def as_written(name):
    commands, files = read_page(cli.REPOSITORY / name)
    folder = cli.WORK / name.replace("/", "_")
    folder.mkdir()
    if commands:
        stock(folder)
    for file, text in files.items():
        json.loads(text)
        (folder / file).write_text(text)
    for command in commands:
        words = shlex.split(command)[1:]
        if command in ELSEWHERE:
            continue
        if "hero.fbx" in words and not (folder / "hero.fbx").exists():
            continue  # other people's characters are not everywhere
        run(*words, folder=folder)
        for option, target in zip(words, words[1:]):
            if option in ("-o", "--report", "--plot", "--animate", "--bones", "--markers"):
                written = list(folder.glob(target.replace(".obj", "*.obj")))
                check(written and all(w.stat().st_size for w in written), f"{command}: no {target}")


@case()
def something_was_run():
    found = {page.name: len(read_page(page)[0]) for page in PAGES}
    for page, least in (("README.md", 8), ("bind.md", 3), ("pictures.md", 4), ("models.md", 2)):
        check(found[page] >= least, f"{page} has {found[page]} commands, wanted {least} or more")


if __name__ == "__main__":
    cli.main()
