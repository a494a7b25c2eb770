# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""turgor info, from outside: test_cli_info.py PROGRAM ASSETS_DIR"""

import re

import cli_helper as cli
from cli_helper import (Skipped, asset, case, check, check_equal, check_near, list_assets, model,
                        needs_assimp, run, run_json)
from cli_readers import Gltf, get_volume

INFO_TYPES = {"file": str, "vertices": int, "weldedVertices": int, "triangles": int, "quads": int,
              "closed": bool, "boundaryLoops": int, "components": int, "joints": int,
              "influencesPerVertex": int, "animations": list, "restVolume": float, "warnings": list}
SKINNING_NAMES = ("linear", "dual-quaternion", "blend")


def check_info(path):
    info = run_json("info", path)
    check(info.get("skinning") in (SKINNING_NAMES if info["joints"] and info["vertices"] else (None,)),
          f"{path}: skinning {info.get('skinning')}")
    for key, kind in INFO_TYPES.items():
        check(key in info, f"{path}: no {key}")
        check(type(info[key]) is kind, f"{path}: {key} is {info[key]!r}, wanted a {kind.__name__}")
    check_equal(info["file"], str(path), "file")
    check(info["weldedVertices"] <= info["vertices"], "more welded vertices than vertices")
    check(info["closed"] == (info["vertices"] > 0 and info["boundaryEdges"] == 0),
          "closed and boundary edges disagree")
    check(info["boundaryEdges"] >= 2 * info["boundaryLoops"], "loops without edges")
    check(all(type(w) is str and w for w in info["warnings"]), f"warnings: {info['warnings']}")
    for animation in info["animations"]:
        check(animation["end"] >= animation["start"], f"an animation runs back: {animation}")
    out, err = run("info", path)
    for shown in (info["vertices"], info["weldedVertices"], info["triangles"], info["joints"]):
        check(re.search(rf"\b{shown}\b", out), f"the text does not tell {shown}")
    for warning in info["warnings"]:
        check(f"turgor: {path}: warning: {warning}\n" in err, f"stderr lacks {warning!r}")
    check_equal(err.count("\n"), len(info["warnings"]), "lines on standard error")
    return info


@case("arm", "cylinder", "elephant", "finger", "giraffe")
def info_of_model(name):
    path = model(name)
    info = check_info(path)
    gltf = Gltf(path)
    positions, triangles = gltf.read_skin_positions(), gltf.read_skin_triangles()
    check_equal(info["vertices"], len(positions) // 3, "vertices")
    check_equal(info["triangles"], len(triangles) // 3, "triangles")
    check_equal(info["joints"], len(gltf.json["skins"][0]["joints"]), "joints")
    check_equal([a["name"] for a in info["animations"]],
                [a["name"] for a in gltf.json["animations"]], "animations")
    volume = get_volume(positions, triangles)
    check_near(info["restVolume"] / volume, 1, 1e-6, "rest volume over the one computed here")


@case()
def info_of_assets():
    if not list_assets():
        raise Skipped("there is no assets folder")
    for path in list_assets():
        if not needs_assimp(path):
            check_info(path)


@case()
def info_warns():
    yeti = check_info(asset("Yeti.glb"))["warnings"]
    check(any("weights" in w and "normalised" in w for w in yeti), f"Yeti: {yeti}")
    check(any("out of range" in w for w in yeti), f"Yeti: {yeti}")
    flat = check_info(asset("SimpleSkin.gltf"))
    check(any("flat" in w for w in flat["warnings"]), f"SimpleSkin: {flat['warnings']}")
    check(not flat["closed"] and flat["restVolume"] == 0, "SimpleSkin is open and flat")


if __name__ == "__main__":
    cli.main()
