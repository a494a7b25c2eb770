#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""Write the seeds of fuzz_stream: what turgor-import sends for a small skinned and animated COLLADA file, for
one without a skin, and for one that cannot be read.

make_stream_corpus.py TURGOR_IMPORT fills corpus_stream/ beside itself.
"""

import pathlib
import subprocess
import sys
import tempfile

IDENTITY = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"


def source(name, array, count, values, accessor, params):
    fields = "".join(f'<param name="{p}" type="{t}"/>' for p, t in params)
    return (f'<source id="{name}"><{array} id="{name}-a" count="{count}">{values}</{array}><technique_common>'
            f'<accessor source="#{name}-a" {accessor}>{fields}</accessor></technique_common></source>')


GEOMETRY = ('<library_geometries><geometry id="A"><mesh>'
            + source("A-p", "float_array", 12, "0 0 0 1 0 0 0 1 0 0 0 1", 'count="4" stride="3"',
                     [(axis, "float") for axis in "XYZ"])
            + '<vertices id="A-v"><input semantic="POSITION" source="#A-p"/></vertices><triangles count="4"><input '
              'semantic="VERTEX" source="#A-v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry>'
              '</library_geometries>')
SKIN = ('<library_controllers><controller id="C"><skin source="#A"><bind_shape_matrix>' + IDENTITY
        + '</bind_shape_matrix>'
        + source("C-j", "Name_array", 2, "Root Tip", 'count="2" stride="1"', [("JOINT", "name")])
        + source("C-b", "float_array", 32, IDENTITY + " 1 0 0 -1 0 1 0 0 0 0 1 0 0 0 0 1", 'count="2" stride="16"',
                 [("TRANSFORM", "float4x4")])
        + source("C-w", "float_array", 3, "1 0.5 0.25", 'count="3" stride="1"', [("WEIGHT", "float")])
        + '<joints><input semantic="JOINT" source="#C-j"/><input semantic="INV_BIND_MATRIX" source="#C-b"/></joints>'
          '<vertex_weights count="4"><input semantic="JOINT" source="#C-j" offset="0"/><input semantic="WEIGHT" '
          'source="#C-w" offset="1"/><vcount>1 2 2 1</vcount><v>0 0 0 1 1 2 1 1 0 1 1 0</v></vertex_weights></skin>'
          '</controller></library_controllers>')
TRACK = ('<library_animations><animation>'
         + source("t", "float_array", 2, "0 1", 'count="2" stride="1"', [("TIME", "float")])
         + source("m", "float_array", 32, IDENTITY + " 0 -1 0 0 1 0 0 0 0 0 1 0 0 0 0 1", 'count="2" stride="16"',
                  [("TRANSFORM", "float4x4")])
         + '<sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#m"/></sampler>'
           '<channel source="#s" target="Root/transform"/></animation></library_animations>')
TREE = (f'<node id="Root" sid="Root" type="JOINT"><matrix sid="transform">{IDENTITY}</matrix><node id="Tip" sid="Tip" '
        'type="JOINT"><translate>1 0 0</translate></node></node><node id="N"><instance_controller url="#C"><skeleton>'
        '#Root</skeleton></instance_controller></node>')


def document(libraries, nodes):
    return ('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>'
            f'<up_axis>Y_UP</up_axis></asset>{libraries}<library_visual_scenes><visual_scene id="scene">{nodes}'
            '</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>')


def main():
    folder = pathlib.Path(__file__).resolve().parent / "corpus_stream"
    folder.mkdir(exist_ok=True)
    seeds = {
        "skinned": document(GEOMETRY + SKIN + TRACK, TREE),
        "plain": document(GEOMETRY, '<node id="N"><instance_geometry url="#A"/></node>'),
        "damaged": "<COLLADA><broken",
    }
    with tempfile.TemporaryDirectory() as work:
        for name, text in seeds.items():
            path = pathlib.Path(work) / f"{name}.dae"
            path.write_text(text)
            sent = subprocess.run([sys.argv[1], path], stdout=subprocess.PIPE, check=True).stdout
            (folder / name).write_bytes(sent)
            print(name, len(sent))


main()
