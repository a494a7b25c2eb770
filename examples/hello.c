#include <stdio.h>
#include <stdlib.h>
#include <turgor/io.h>

int main(void)
{
    tgError error;
    tgScene* hero = tgLoadScene("hero.glb", &error);
    tgRig* rig = hero ? tgScene_CreateRig(hero, NULL, &error) : NULL; // as turgor bake does
    tgInstance* instance = rig ? tgCreateInstance(rig, NULL, &error) : NULL;
    if (instance == NULL) {
        fprintf(stderr, "hero.glb: %s\n", error.message);
        return 1;
    }
    tgMat34* nodes = (tgMat34*)malloc((size_t)hero->nodeCount * sizeof(tgMat34));
    tgMat34* joints = (tgMat34*)malloc((size_t)hero->jointCount * sizeof(tgMat34));
    tgVec3* skin = (tgVec3*)malloc((size_t)hero->vertexCount * sizeof(tgVec3));
    for (int frame = 0; frame < tgScene_GetFrameCount(hero, 0, 30.0); ++frame) {
        double time = tgScene_GetFrameTime(hero, 0, 30.0, frame);
        tgScene_SamplePose(hero, 0, time, nodes, joints, NULL);
        tgPose pose = tgDefaultPose();
        pose.joints = joints, pose.jointCount = hero->jointCount, pose.time = (float)time;
        tgVec3Span out = {&skin->x, hero->vertexCount, sizeof(tgVec3)}, noNormals = {NULL, 0, 0};
        tgInstance_Deform(instance, &pose, out, noNormals, NULL); // allocates nothing
        tgVolumeReport volume = tgInstance_MeasureVolume(instance);
        printf("frame %d: volume off by %.1e\n", frame, volume.result / volume.target - 1.0);
    }
    free(skin), free(joints), free(nodes);
    tgDestroyInstance(instance), tgDestroyRig(rig), tgDestroyScene(hero);
}
