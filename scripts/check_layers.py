#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Includes point one way: core <- bind <- io <- draw, models, play <- cli <- paper. Reads the #include lines."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What each folder may include besides itself and what any header of the C library is.
MAY_USE = {
    "src/core": {"core"},
    "src/bind": {"core", "bind"},
    "src/io": {"core", "bind", "io"},
    "src/models": {"core", "bind", "io", "models"},
    "src/draw": {"core", "bind", "io", "draw"},
    "src/play": {"core", "bind", "io", "play"},
    "cli": {"core", "bind", "io", "models", "draw", "play"},
    "web/turgor": {"core", "io", "play"},
    "paper": {"core", "bind", "io", "models", "draw", "play", "cli"},
}
PUBLIC = {
    "src/core": {"base", "math", "turgor", "volume", "flesh", "bones", "wrinkles", "driver"},
    "src/bind": {"base", "math", "turgor", "volume", "flesh", "bones", "wrinkles", "bind", "centers",
                 "refine", "autorig"},
    "src/io": {"base", "math", "turgor", "volume", "flesh", "bones", "wrinkles", "scene", "io", "bind",
               "centers", "refine", "autorig", "markers", "settings"},
}
CORE_SYSTEM = {"math.h", "stdbool.h", "stddef.h", "stdint.h", "limits.h", "stdarg.h", "stdio.h",
               "stdlib.h", "string.h", "immintrin.h", "arm_neon.h", "wasm_simd128.h"}


def faults():
    for folder, allowed in MAY_USE.items():
        for path in sorted((ROOT / folder).glob("*.[chi]*")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = re.match(r'\s*#\s*include\s+([<"])([^>"]+)[>"]', line)
                if not match:
                    continue
                place = f"{path.relative_to(ROOT)}:{number}"
                quote, name = match.groups()
                part, _, rest = name.partition("/")
                if quote == "<":
                    if folder == "src/core" and name not in CORE_SYSTEM:
                        yield f"{place}: the core includes <{name}>, it may use C17 and libm only"
                elif part == "turgor":
                    known = PUBLIC.get(folder)
                    if known is not None and rest.removesuffix(".h") not in known:
                        yield f"{place}: {folder} includes {name}, which lies above it"
                elif rest and part not in allowed:
                    yield f"{place}: {folder} includes {name}, it may use {sorted(allowed)}"
    for path in sorted((ROOT / "src/core").glob("*")):
        if path.suffix in {".c", ".h", ".inl"} and not path.name.startswith("simd_"):
            if re.search(r"\b(_mm\w*_|v\w+q_f32|wasm_f32x4_)\w*\s*\(", path.read_text()):
                yield f"{path.relative_to(ROOT)}: intrinsics belong in simd_*.h"


def main():
    found = list(faults())
    for fault in found:
        print(fault)
    print(f"layers: {len(found)} faults")
    return 1 if found else 0


sys.exit(main())
