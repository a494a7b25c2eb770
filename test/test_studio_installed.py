#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""The page is installed with the program, which serves it: test_studio_installed.py PREFIX PAGE_DIR HERO.glb"""

import os
import pathlib
import signal
import subprocess
import sys
import urllib.request

prefix, page, hero = (pathlib.Path(name).resolve() for name in sys.argv[1:4])
installed = next(prefix.glob("share/turgor/studio"), None)
if installed is None:
    sys.exit(f"{page} was built, but there is no share/turgor/studio in {prefix}")
names = sorted(str(path.relative_to(page)) for path in page.rglob("*") if path.is_file())
os.environ.pop("TURGOR_STUDIO", None)
# From a folder where no page is near.
process = subprocess.Popen([prefix / "bin/turgor", "studio", "--no-open", hero], cwd="/",
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
address = process.stdout.readline().decode().strip()
if not address:
    words = process.communicate()[1].decode().strip()
    if "without libmicrohttpd" in words:
        print(f"package: the installed program does not serve the page: {words}")
        sys.exit(0)
    sys.exit(f"turgor studio of {prefix} ended: {words}")
wrong = []
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # this machine itself
try:
    for name, wanted in [("", page / "index.html"), ("character", hero)] + [(name, page / name) for name in names]:
        with opener.open(address + name, timeout=60) as answer:
            if answer.read() != wanted.read_bytes():
                wrong.append(name)
finally:
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
if wrong or process.returncode != 0:
    sys.exit(f"served with other bytes: {wrong}; status {process.returncode}, wanted 0")
print(f"package: the installed program serves the installed page, {len(names)} files")
