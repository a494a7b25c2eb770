# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""The C of docs/embed.md compiles as written: test_docs_code.py COMPILER

Its pieces follow each other in one function. What they leave to the reader, such as the arrays of a
mesh, is declared here; everything else must be in the headers. The README's program is built and run
by test_package.sh. What an engine and an artist have to write first stays short.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READERS = """
#include <turgor/io.h>
#include <turgor/refine.h>
#include <turgor/settings.h>
#include <stdio.h>
typedef struct Vertex { float x, y, z, u, v; } Vertex;
void tgEmbed(const float* vertices, int vertexCount, const int* triangles, int triangleCount,
             const int* parents, const tgMat34* bindMatrices, int jointCount, const int* joints,
             const float* weights, int elbowJoint, int spine1, int spine3, int forearm,
             const tgVec3* ulnaVertices, int ulnaVertexCount, const int* ulnaTriangles,
             int ulnaTriangleCount, tgInstance* instance, tgRigDef rigDef, const tgPose* poses,
             int poseCount, float* gamma, int* welded, tgRefineDef refineDef, const float* uvs,
             float* fineUvs, tgError error);
"""


ENGINE_LINES = 40  # asked, for a whole program
ARTIST_LINES = 1  # of settings, for the first bulge


def count_code(text):
    """Lines that are neither empty nor a comment."""
    return sum(1 for line in map(str.strip, text.splitlines()) if line and not line.startswith("//"))


def check_lengths():
    readme = (ROOT / "README.md").read_text()
    counts = {"examples/own_buffers.cpp": (count_code((ROOT / "examples/own_buffers.cpp").read_text()),
                                           ENGINE_LINES)}
    for kind, most in (("c", ENGINE_LINES), ("json", ARTIST_LINES)):
        blocks = re.findall(rf"^```{kind}\n(.*?)^```", readme, re.M | re.S)
        if len(blocks) != 1:
            sys.exit(f"README.md has {len(blocks)} pieces of {kind}, wanted 1")
        counts[f"README.md, {kind}"] = count_code(blocks[0]), most
    for what, (count, most) in counts.items():
        print(f"{what}: {count} lines, asked {most}")
    if any(count > most for count, most in counts.values()):
        sys.exit("too long")


def main():
    page = (ROOT / "docs/embed.md").read_text()
    pieces = re.findall(r"^```c\n(.*?)^```", page, re.M | re.S)
    if len(pieces) < 6:
        sys.exit(f"docs/embed.md has {len(pieces)} pieces of C, wanted 6 or more")
    head = re.search(r"void tgEmbed.*?\)", READERS, re.S)[0]
    program = READERS + head + "\n{\n" + "\n".join(pieces) + "}\n"
    command = [sys.argv[1], "-std=c17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable",
               "-Wno-unused-parameter", f"-I{ROOT}/include", "-fsyntax-only", "-x", "c", "-"]
    if subprocess.run(command, input=program, text=True).returncode != 0:
        sys.exit("the C of docs/embed.md does not compile")
    print(f"{len(pieces)} pieces of C compile")
    check_lengths()


if __name__ == "__main__":
    main()
