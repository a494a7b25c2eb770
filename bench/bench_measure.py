#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""How long `turgor measure` takes to answer: bench_measure.py TURGOR FOLDER

On the largest character of the folder, 53 514 vertices in 241 frames, of which it looks at as many as it has
the time for. An answer is wanted in 10 s; what is held is the processor time of all threads, which on a machine
of one's own is no less than the wait.
"""

import json
import os
import subprocess
import sys
import time

MOST_SECONDS = 10.0


def main():
    path = os.path.join(sys.argv[2], "human_makehuman_53k.glb")
    if not os.path.exists(path):
        print(f"bench_measure: {path} is not there: left out")
        return 0
    start, before = time.monotonic(), os.times()
    done = subprocess.run([sys.argv[1], "measure", path, "--json"], capture_output=True, text=True, check=False)
    waited, after = time.monotonic() - start, os.times()
    if done.returncode != 0:
        print(f"bench_measure: status {done.returncode}: {done.stderr.strip()}")
        return 1
    frames = json.loads(done.stdout)["frames"]
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    met = spent <= MOST_SECONDS
    print(f"measure, 53514 vertices, {frames} of 241 frames: {spent:.2f} s of the processor, {waited:.2f} s waited  "
          f"wanted <= {MOST_SECONDS:g}{'' if met else '  MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
