// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Vertex buffers of your own, filled with a file's animation: own_buffers FILE [SETTINGS.json] >OUT
// OUT gets the positions, 3 floats a vertex, frame after frame: the bits of `turgor bake`.
#include <cstdio>
#include <turgor/io.h>
#include <vector>

struct Vertex {
    float position[3], normal[3], uv[2];
};

int main(int argc, char** argv)
{
    tgError error = {};
    const char* file = argc > 1 ? argv[1] : "hero.glb";
    tgScene* scene = tgLoadScene(file, &error);
    tgSettings* settings = scene && argc > 2 ? tgLoadSettings(argv[2], scene, &error) : nullptr;
    tgRig* rig = error.code ? nullptr : tgScene_CreateRig(scene, settings, &error);
    tgInstance* instance = rig ? tgCreateInstance(rig, nullptr, &error) : nullptr;
    if (!instance) {
        return std::fprintf(stderr, "%s: %s\n", file, error.message), 1;
    }
    int count = scene->vertexCount;
    std::vector<Vertex> vertices(count); // or your own mapped memory
    std::vector<tgVec3> shape(count);
    std::vector<tgMat34> nodes(scene->nodeCount), joints(scene->jointCount);
    std::vector<float> morphs(scene->morphCount + 1);
    tgPose pose = tgDefaultPose();
    pose.joints = joints.data(), pose.jointCount = scene->jointCount;
    pose.shapePositions = {scene->morphCount ? &shape[0].x : nullptr, count, sizeof(tgVec3)};
    double last = tgScene_GetFrameTime(scene, 0, 30.0, 0), time;
    for (int i = 0; i < tgScene_GetFrameCount(scene, 0, 30.0); ++i, last = time) {
        time = tgScene_GetFrameTime(scene, 0, 30.0, i);
        tgScene_SamplePose(scene, 0, time, nodes.data(), joints.data(), morphs.data());
        tgScene_SampleShape(scene, morphs.data(), shape.data());
        pose.time = float(time), pose.timeStep = float(time - last);
        tgInstance_Deform(instance, &pose, {vertices[0].position, count, sizeof(Vertex)},
                          {vertices[0].normal, count, sizeof(Vertex)}, nullptr);
        for (const Vertex& v : vertices) { // here an engine draws them
            std::fwrite(v.position, sizeof(v.position), 1, stdout);
        }
    }
    tgDestroyInstance(instance), tgDestroyRig(rig);
    tgDestroySettings(settings), tgDestroyScene(scene);
}
