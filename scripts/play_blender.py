# SPDX-FileCopyrightText: The Turgor authors
# SPDX-License-Identifier: MIT
"""A glTF as Blender plays it: blender -b --factory-startup --python play_blender.py -- FILE.glb OUT.f32 FPS FRAME...

For each frame of the first animation the places of all vertices after shape keys and armature, as
three floats each, in glTF's axes, skinned mesh after skinned mesh.
"""

import array
import sys

import numpy

numpy.bool = bool  # Blender 3.4's importer asks for it, newer numpy has it no more

import bpy

path, output, fps, *frames = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()
bpy.context.scene.render.fps = int(fps)
bpy.ops.import_scene.gltf(filepath=path)
meshes = [o for o in bpy.data.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers)]
numbers = array.array("f")
for frame in frames:
    bpy.context.scene.frame_set(int(frame))
    graph = bpy.context.evaluated_depsgraph_get()
    for mesh in meshes:
        shown = mesh.evaluated_get(graph)
        world = shown.matrix_world
        for vertex in shown.data.vertices:
            place = world @ vertex.co
            numbers.extend((place.x, place.z, -place.y))
with open(output, "wb") as file:
    numbers.tofile(file)
