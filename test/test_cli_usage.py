# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Help and wrong usage, from outside: test_cli_usage.py PROGRAM ASSETS_DIR"""

import re

import cli_helper as cli
from cli_helper import case, check, check_equal, list_files, model, run, run_wrong

VERBS = ["demo", "info", "bake", "correctives", "pose", "measure", "render", "centers", "rig", "bind",
         "paper", "model", "studio"]


@case()
def program_help_and_version():
    for option in ("--help", "-h"):
        out, err = run(option)
        check_equal(err, "", "standard error")
        for verb in VERBS:
            check(re.search(rf"^  {verb} +\w", out, re.M), f"the help does not tell of {verb}")
    out, err = run("--version")
    check(re.fullmatch(r"turgor \d+\.\d+\.\d+\n", out) and err == "", f"the version is {out!r}")


@case(*VERBS)
def verb_help(verb):
    for arguments in ([verb, "--help"], [verb, "-h"], [verb, "missing.glb", "--help"]):
        if verb in ("demo", "paper") and len(arguments) == 3:
            continue  # it takes no file
        out, err = run(*arguments)
        check_equal(err, "", "standard error")
        check(out.startswith(f"turgor {verb}"), f"the help begins with {out[:40]!r}")
        for line in out.splitlines():
            check(len(line) <= 120, f"the help has a line of {len(line)} characters: {line}")
            check(not line.startswith("  -") or re.match(r"  -\S+( \S+)?  ? *\S", line),
                  f"an option without words: {line!r}")
    out, _ = run(verb, "--help")
    shared = ["--settings", "--preset", "--volume", "--mode", "--contact", "--skinning", "--animation",
              "--fps", "--frames", "--loop", "--threads"]
    load = ["--allow-outside", "--max-unfolding"]
    shared = shared + load
    own = {"demo": ["-o"], "info": ["--json", "--settings"] + load, "bake": ["-o", "--json", "--strict"] + shared,
           "correctives": ["-o", "--max-error", "--targets", "--no-normals", "--compress", "--report", "--driver",
                           "--json"] + [option for option in shared if option != "--frames"],
           "pose": ["-o", "--frame", "--time", "--rotate", "--bend"] + shared,
           "measure": ["--plot", "--theme", "--report", "--max-error", "--all-joints", "--every-frame",
                       "--json"] + shared,
           "model": ["-o", "--vertices", "--bones", "--markers", "--seed", "--radius", "--length", "--joints",
                     "--blend", "--offset", "--list"],
           "bind": ["-o", "--skeleton", "--method", "--voxels", "--influences", "--falloff", "--inside",
                    "--bone-length", "--fit", "--strict", "--json"] + load,
           "rig": ["-o", "--up", "--template", "--symmetry", "--source", "--joints-per-limb", "--toes",
                   "--least-length", "--replace", "--wiggle", "--report", "--json"] + load,
           "studio": ["--settings", "--port", "--no-open"],
           "paper": ["-o", "--assets", "--only", "--size", "--threads", "--list"],
           "centers": ["--segments", "-o", "--method", "--frame", "--seed", "--units", "--up", "--fps",
                       "--json"],
           "render": ["-o", "--animate", "--frame", "--time", "--rotate", "--bend", "--compare",
                      "--compare-settings", "--watch", "--show", "--joint", "--focus", "--arrows", "--cut",
                      "--plane", "--view", "--size", "--background",
                      "--color", "--wireframe", "--no-ground", "--frame-all"] + shared}
    told = re.findall(r"^  (-\S+)", out, re.M)
    check_equal(sorted(told), sorted(own[verb] + ["--help"]), "the options that the help tells of")
    threads = re.search(r"^  --threads .*", out, re.M)
    check(not threads or "default 0: one for each processor" in threads[0], f"it says {threads}")


@case()
def no_arguments():
    out, err = run(status=2)
    check_equal(out, "", "standard output")
    check("turgor VERB" in err, "the overview is not on standard error")


@case()
def wrong_usage():
    glb = model("cylinder")
    out = cli.WORK / "never.glb"
    bake, pose = ["bake", glb, "-o", out], ["pose", glb, "-o", out]
    wrong = [["nosuchverb"], ["--nosuchoption"], [""], ["bake\nme"], ["info"], ["bake"], ["pose"],
             ["measure"], ["model"], ["model", "cylinder"], ["model", "-o", out], ["bake", glb],
             ["bake", "-o", out], ["pose", glb, "--frame", 0], ["info", glb, glb], ["demo", "me"],
             ["info", glb, "--json=yes"], ["demo", "-o"], ["model", "cylinder", "-o"], pose,
             ["model", "cylinder", "-o", out, "--vertices", "many"], ["measure", glb, "--plot"],
             [*pose, "--frame", 0, "--time", 0], [*pose, "--frame", -1], [*pose, "--frame", -2],
             [*pose, "--frame", -1, "--rotate", "bone0=0,0,1,5"], [*pose, "--frame", "1.5"],
             [*pose, "--time", "soon"], [*pose, "--time", "nan"], [*pose, "--time", "inf"]]
    wrong += [[verb, "--nosuchoption"] for verb in VERBS]
    wrong += [[verb, "x", "--fps=1", "-x"] for verb in VERBS]
    for text in ("bone1", "bone1=", "bone1=1,2,3", "bone1=1,2,3,4,5", "bone1=a,b,c,d", "",
                 "bone1=0,0,0,90", "bone1=0,0,nan,90", "bone1=0,0,1,inf", "bone1=1,2,3,4 x",
                 "bone1=1e300,0,0,90"):
        wrong.append([*pose, "--rotate", text])
        wrong.append(["pose", "missing.glb", "-o", out, "--rotate", text])
    wrong.append([*pose] + ["--rotate", "bone1=0,0,1,1"] * 65)
    values = {"--fps": ["0", "-1", "nan", "inf", "abc", "", "30fps", "1e9"],
              "--frames": ["5", "5:", ":5", "a:b", "5:2", "-1:3", "-1:-1", "1:2:3", "0-5",
                           "0:99999999999", ""],
              "--threads": ["-1", "x", "1.5", "99999999999", ""],
              "--skinning": ["Linear", "quaternion", ""], "--volume": ["all", "Local", ""],
              "--preset": ["Rubber", "curves", ""], "--mode": ["parallel", ""]}
    wrong += [["measure", glb, "--max-error", text] for text in ("-1", "nan", "inf", "x", "")]
    wrong += [[*command, "--settings"] for command in (bake, pose, ["measure", glb])]
    for option, texts in values.items():
        for command in (bake, [*pose, "--frame", 0], ["measure", glb]):
            wrong.append([*command, option])
        wrong += [[*bake, option, text] for text in texts] + [[*bake, f"{option}={texts[0]}"]]
    before = list_files(cli.WORK)
    for arguments in wrong:
        run_wrong(*arguments)
    check_equal(list_files(cli.WORK), before, "what is in the folder")


@case()
def usage_messages_tell_what_is_wanted():
    glb = model("cylinder")
    for wanted, arguments in (("--help", ["nosuchverb"]), ("turgor bake --help", ["bake", "--x"]),
                              ("auto or linear or dual-quaternion or blend", ["measure", glb, "--skinning", "x"]),
                              ("JOINT=AX,AY,AZ,DEGREES", ["pose", glb, "-o", "x.glb", "--rotate"]),
                              ("64", ["pose", glb, "-o", "x.glb"] + ["--rotate", "a=0,0,1,1"] * 65),
                              ("rubber or muscle", ["measure", glb, "--preset", "gum"]),
                              ("none or exact or local", ["measure", glb, "--volume", "some"]),
                              ("exact or paper", ["measure", glb, "--mode", "x"]),
                              ("--list", ["model"]), ("-o OUT", ["bake", glb])):
        check(wanted in run_wrong(*arguments), f"turgor {arguments} does not say {wanted}")


if __name__ == "__main__":
    cli.main()
