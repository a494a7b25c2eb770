#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""A sheet of the worst frame of every character: worst_frames.py TURGOR FOLDER OUT [NAME ...]

Of each character in FOLDER, and of each embedded one, the frame in which a joint loses most: plain
skinning, dual quaternions and the corrected skin side by side, whole and close to that joint, and
where its profile lets the skin swell. OUT/index.html is the sheet. A name ends with :ANIMATION for
another than the first.
"""

import html
import json
import os
import subprocess
import sys

EMBEDDED = ["elephant", "giraffe", "human", "cat", "hand", "arm"]
ENDINGS = (".glb", ".gltf", ".fbx", ".dae")
STYLE = """body{font:14px system-ui;margin:16px;color-scheme:light dark}
table{border-collapse:collapse}td{padding:4px;vertical-align:top}img{display:block;max-width:100%}
td:first-child{width:11em}"""


def run(turgor, *arguments):
    """Standard output, or None."""
    done = subprocess.run([turgor, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{' '.join(arguments)}: {done.stderr.strip()}", file=sys.stderr)
        return None
    return done.stdout


def find_worst(turgor, source, options):
    """The joint that loses most, as `measure` has it."""
    text = run(turgor, "measure", source, *options, "--fps", "10", "--json")
    joints = json.loads(text)["joints"] if text else []
    return max(joints, key=lambda joint: abs(joint["loss"]), default=None)


def make_row(turgor, source, animation, out):
    """A row of the sheet, or None."""
    options = ["--animation", animation] if animation else []
    worst = find_worst(turgor, source, options)
    if worst is None:
        return None
    name = os.path.basename(source) + (f":{animation}" if animation else "")
    stem = "".join(c if c.isalnum() else "_" for c in name)
    moment = [*options, "--fps", "10", "--frame", str(worst["frame"]), "--no-ground"]
    near = ["--focus", worst["name"]]
    pictures = [
        ("whole", ["--compare", "--size", "900x360"]),
        ("near", ["--compare", *near, "--size", "900x360"]),
        ("gamma", ["--show", "gamma", "--joint", worst["name"], *near, "--size", "360x360"]),
    ]
    cells = []
    for kind, wanted in pictures:
        path = f"{stem}_{kind}.png"
        made = run(turgor, "render", source, *moment, *wanted, "-o", os.path.join(out, path))
        cells.append(f'<td><img src="{path}" alt="{kind}"></td>' if made is not None else "<td></td>")
    said = f"{name}<br>frame {worst['frame']}, {worst['name']}<br>lost {100 * worst['loss']:+.2f} %"
    return f"<tr><td>{html.escape(said, False).replace('&lt;br&gt;', '<br>')}</td>{''.join(cells)}</tr>"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    turgor, folder, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    names = sys.argv[4:]
    if not names:
        names = EMBEDDED + sorted(f for f in os.listdir(folder) if f.endswith(ENDINGS))
    rows = []
    for name in names:
        name, _, animation = name.partition(":")
        source = os.path.join(folder, name)
        if name in EMBEDDED:
            source = os.path.join(out, f"{name}.glb")
            if run(turgor, "model", name, "-o", source) is None:
                continue
        row = make_row(turgor, source, animation, out)
        if row is not None:
            rows.append(row)
            print(name, flush=True)
    with open(os.path.join(out, "index.html"), "w", encoding="utf-8") as page:
        page.write(f"<!doctype html><meta charset=utf-8><title>Worst frames</title>"
                   f"<style>{STYLE}</style><table>{''.join(rows)}</table>\n")


if __name__ == "__main__":
    main()
