# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""The local volume method from outside: test_cli_local.py PROGRAM ASSETS_DIR"""

import json

import cli_helper as cli
from cli_helper import check, check_equal, check_near, model, run, run_json, run_wrong, write_settings

case = cli.case


def worst(*arguments):
    measured = run_json("measure", model("elephant"), "--fps", 6, *arguments)
    check(len(measured["joints"]) > 5, "joints with losses")
    check_equal(measured["perFrame"][0].keys(),
                {"frame", "time", "target", "linear", "dualQuaternion", "corrected"}, "keys")
    return measured["worst"]


@case()
def measure_tells_what_the_local_method_misses():
    linear = worst("--volume", "local", "--skinning", "linear")
    check(abs(linear["corrected"]) < 0.5 * abs(linear["linear"]), f"not half: {linear}")
    check(abs(linear["corrected"]) > 1e-6, f"exact: {linear}")
    exact = write_settings('{"volume": {"method": "local", "local": {"exact": true}}}')
    check_near(worst("--settings", exact)["corrected"], 0.0, 1e-6, "with the cubic")
    out, _ = run("measure", model("elephant"), "--volume", "local", "--fps", 3)
    check("corrected volume" in out, out)


@case()
def bake_and_pose_take_it():
    path = model("arm")
    for out in ("local.pc2", "local.glb"):
        report = run_json("bake", path, "-o", cli.WORK / out, "--volume", "local", "--fps", 5)
        check(0.0 < abs(report["worst"]) < 0.02, f"{report}")
    text, _ = run("bake", path, "-o", cli.WORK / "local.mdd", "--volume", "local", "--fps", 5)
    check("of its target in every frame" in text, text)
    text, _ = run("pose", path, "-o", cli.WORK / "local.obj", "--frame", 5, "--volume", "local")
    check("its target" in text, text)


@case()
def threads_change_nothing():
    written = []
    for threads in (1, 2, 5):
        out = cli.WORK / f"threads{threads}.pc2"
        run("bake", model("elephant"), "-o", out, "--volume", "local", "--fps", 3, "--threads",
            threads)
        written.append(out.read_bytes())
    check(written[0] == written[1] == written[2], "threads change the result")


@case()
def presets_name_maps():
    def bake(name, *arguments):
        out = cli.WORK / f"{name}.pc2"
        run("bake", model("arm"), "-o", out, "--fps", 3, "--skinning", "linear", *arguments)
        return out.read_bytes()

    rubber = write_settings(json.dumps({"volume": {"method": "local", "local": {"map": "rubber"}}}))
    check(bake("a", "--settings", rubber) ==
          bake("b", "--volume", "local", "--preset", "rubber"), "preset rubber is another map")
    check(bake("c", "--volume", "local") == bake("d", "--volume", "local", "--preset", "organic"),
          "preset organic is another map")
    check(bake("c", "--volume", "local") != bake("b", "--volume", "local", "--preset", "rubber"),
          "all maps alike")
    check("organic or rubber or flesh" in run_wrong("bake", model("arm"), "-o", cli.WORK / "x.pc2",
                                           "--volume", "local", "--preset", "muscle"), "message")


if __name__ == "__main__":
    cli.main()
