// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Suda, Yamanaka, Morishima 2010: a skinning technique considering the shape of human skeletons.
// The skin goes out over bones that come through it.

#include "cli/report.h"
#include "core/core.h"
#include "paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { tg_handVertices = 20000, tg_mostBones = 32 };

/// The embedded hand and its bones, the forefinger bent; plain, and with the bones' shape.
typedef struct tgForefinger {
    const tgScene* scene;
    tgScene* objects; ///< the bones, over the same skeleton
    int boneCount;
    tgBoneDef bones[tg_mostBones];
    int* corners;                          ///< of all bones' faces, each over its own vertices
    bool* focus;                           ///< vertices of the finger
    tgActor plain, shaped, kept, skeleton; ///< kept: over the bones, and with its volume
} tgForefinger;

static void tgCloseForefinger(tgForefinger* finger)
{
    tgCloseActor(&finger->plain);
    tgCloseActor(&finger->shaped);
    tgCloseActor(&finger->kept);
    tgCloseActor(&finger->skeleton);
    free(finger->corners);
    free(finger->focus);
    tgDestroyScene(finger->objects);
}

/// Each part of the bones' scene hangs on the joint whose name it has.
static void tgListBones(tgForefinger* finger)
{
    const tgScene* objects = finger->objects;
    int corner = 0, face = 0;
    for (int p = 0; p < objects->partCount && finger->boneCount < tg_mostBones; ++p) {
        const tgScenePart* part = &objects->parts[p];
        for (; face < part->firstFace; ++face) {
            corner += objects->faceSizes[face];
        }
        const tgVec3* positions = objects->positions + part->firstVertex;
        finger->bones[finger->boneCount++] = (tgBoneDef){
            .joint = tgScene_FindJoint(finger->scene, part->name),
            .positions = {&positions->x, part->vertexCount, sizeof(tgVec3)},
            .faceVertices = finger->corners + corner,
            .faceSizes = objects->faceSizes + part->firstFace,
            .faceCount = part->faceCount,
            .thickness = -1.0f, // as all bones have it
        };
        for (int f = part->firstFace, at = corner; f < part->firstFace + part->faceCount; ++f) {
            for (int k = 0; k < objects->faceSizes[f]; ++k, ++at) {
                finger->corners[at] = objects->faceVertices[at] - part->firstVertex;
            }
        }
    }
}

/// Vertices that follow a joint of the forefinger beyond its knuckle most.
static void tgMarkFinger(tgForefinger* finger)
{
    for (int v = 0; v < finger->scene->vertexCount; ++v) {
        const char* name = finger->scene->joints[tgRig_GetRegion(finger->plain.rig, v)].name;
        finger->focus[v] = strncmp(name, "index_", 6) == 0 && strcmp(name, "index_metacarpal") != 0;
    }
}

static int tgOpenForefinger(tgPaper* paper, tgForefinger* finger)
{
    static const char* const tg_turns[] = {"index_proximal=1,0,0,60", "index_middle=1,0,0,100",
                                           "index_distal=1,0,0,40", NULL};
    *finger = (tgForefinger){.scene = tgPaper_GetModel(paper, "hand", tg_handVertices)};
    tgError error = {0};
    finger->objects = finger->scene != NULL ? tgCreateModelBones("hand", &error) : NULL;
    if (finger->objects == NULL) {
        return finger->scene != NULL ? tgSayFailed("hand", &error) : tg_statusFailed;
    }
    size_t cornerCount = 0;
    for (int f = 0; f < finger->objects->faceCount; ++f) {
        cornerCount += (size_t)finger->objects->faceSizes[f];
    }
    finger->corners = calloc(cornerCount + 1, sizeof(int));
    finger->focus = calloc((size_t)finger->scene->vertexCount, sizeof(bool));
    if (finger->corners == NULL || finger->focus == NULL) {
        return tgSayFailure("hand", "out of memory for its bones");
    }
    tgListBones(finger);
    tgBonesDef bones = tgDefaultRigDef().bones;
    bones.bones = finger->bones;
    bones.boneCount = finger->boneCount;
    tgActorDef def = {.scene = finger->scene, .bones = &bones};
    int status = tgOpenSkin(finger->scene, NULL, &finger->plain);
    status =
        status == tg_statusDone ? tgOpenSkin(finger->objects, NULL, &finger->skeleton) : status;
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, NULL);
    tgActorDef keptDef = {.scene = finger->scene, .bones = &bones, .volume = &volume};
    if (status == tg_statusDone && (tgOpenActor(&def, &finger->shaped, &error) != tg_success ||
                                    tgOpenActor(&keptDef, &finger->kept, &error) != tg_success)) {
        status = tgSayFailed("hand", &error);
    }
    tgActor* const actors[] = {&finger->plain, &finger->shaped, &finger->kept, &finger->skeleton};
    for (int i = 0; i < 4 && status == tg_statusDone; ++i) {
        status = tgTurnActor(actors[i], tg_turns);
    }
    if (status == tg_statusDone) {
        tgMarkFinger(finger);
    }
    return status;
}

/// Whether a ray straight up from a point crosses the triangle (a, b, c).
static bool tgIsBelow(tgVec3 point, tgVec3 a, tgVec3 b, tgVec3 c)
{
    tgVec3 p = tgSub(point, a);
    b = tgSub(b, a);
    c = tgSub(c, a);
    double area = (double)b.x * (double)c.z - (double)b.z * (double)c.x;
    double s = ((double)p.x * (double)c.z - (double)p.z * (double)c.x) / area;
    double t = ((double)b.x * (double)p.z - (double)b.z * (double)p.x) / area;
    return s >= 0.0 && t >= 0.0 && s + t < 1.0 && s * (double)b.y + t * (double)c.y > (double)p.y;
}

/// Raises the marks of points that are inside one bone, which crosses a ray an odd number of times.
/// @param corners of the bone's faces, over its own vertices
static void tgMarkInside(const tgBoneDef* bone, const tgVec3* positions, const tgVec3* points,
                         int count, bool* marks)
{
    float reach = 0.0f; // of the bone, about one of its vertices
    for (int v = 1; v < bone->positions.count; ++v) {
        reach = fmaxf(reach, tgDistance(positions[0], positions[v]));
    }
    for (int i = 0; i < count; ++i) {
        tgVec3 p = points[i];
        bool isIn = false, isNear = tgDistance(positions[0], p) < reach;
        const int* corners = bone->faceVertices;
        for (int f = 0; isNear && f < bone->faceCount; corners += bone->faceSizes[f++]) {
            for (int k = 2; k < bone->faceSizes[f]; ++k) {
                isIn ^= tgIsBelow(p, positions[corners[0]], positions[corners[k - 1]],
                                  positions[corners[k]]);
            }
        }
        marks[i] |= isIn;
    }
}

/// Vertices of a part of the hand that are inside any bone. -1 without memory.
static int tgCountInside(const tgForefinger* finger, int part, const tgVec3* points,
                         const tgVec3* bones)
{
    const tgScenePart* counted = &finger->scene->parts[part];
    bool* marks = calloc((size_t)counted->vertexCount + 1, sizeof(bool));
    int count = marks != NULL ? 0 : -1;
    for (int b = 0; marks != NULL && b < finger->boneCount; ++b) {
        tgMarkInside(&finger->bones[b], bones + finger->objects->parts[b].firstVertex,
                     points + counted->firstVertex, counted->vertexCount, marks);
    }
    for (int i = 0; marks != NULL && i < counted->vertexCount; ++i) {
        count += marks[i];
    }
    free(marks);
    return count;
}

/// Of the whole hand, at rest and bent: its skin, and its nails, whose roots are stuck into it.
static void tgAddInside(const tgForefinger* finger, tgPaperEntry* entry)
{
    const tgVec3 *restBones = finger->objects->positions, *bones = finger->skeleton.positions;
    const struct {
        const char* what;
        int part;
        const tgVec3 *points, *bones;
    } rows[] = {
        {"skin of the hand inside bone, at rest", 0, finger->scene->positions, restBones},
        {"skin of the hand inside bone, bent, SSD", 0, finger->plain.positions, bones},
        {"skin of the hand inside bone, bent, with the shape of bones", 0, finger->shaped.positions,
         bones},
        {"roots of the nails inside bone, at rest", 1, finger->scene->positions, restBones},
    };
    for (int i = 0; i < 4; ++i) {
        int count = tgCountInside(finger, rows[i].part, rows[i].points, rows[i].bones);
        tgAddNumber(entry, (double)NAN, count, "vertices", tg_betterNeither, "%s", rows[i].what);
    }
}

static int tgMakeFigure2(tgPaper* paper, tgPaperEntry* entry)
{
    tgForefinger finger;
    int status = tgOpenForefinger(paper, &finger);
    if (status == tg_statusDone) {
        int middle = tgScene_FindJoint(finger.scene, "index_middle");
        tgVec3 origin = finger.plain.joints[middle].origin;
        tgVec3 before = finger.plain.joints[finger.scene->joints[middle].parent].origin;
        tgVec3 after = finger.plain.joints[tgScene_FindJoint(finger.scene, "index_distal")].origin;
        tgVec3 across = tgCross(tgSub(origin, before), tgSub(after, origin));
        tgOutlines outlines = {
            .plane = tgMakePlane(origin, tgNormalize(across, tgMakeVec3(1.0f, 0.0f, 0.0f))),
            .focus = 0.021f,
            .count = 3,
            .actors = {&finger.shaped, &finger.plain, &finger.skeleton},
            .labels = {"with the shape of bones", "SSD", "bones"}};
        tgAddInside(&finger, entry);
        status = tgSaveOutlines(paper, entry, &outlines,
                                "The forefinger cut in the plane of its bend, at the middle joint: "
                                "where the bone's head comes near, the skin goes out over it.");
    }
    tgCloseForefinger(&finger);
    return status;
}

static int tgMakeFigure3(tgPaper* paper, tgPaperEntry* entry)
{
    tgForefinger finger;
    tgSheet sheet = {0};
    int status = tgOpenForefinger(paper, &finger);
    tgSheetDef def = {.actor = &finger.plain, .view = "1,0.45,-0.55", .focus = finger.focus};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    if (status == tg_statusDone) {
        tgBoneReport report = tgInstance_GetBoneReport(finger.shaped.instance);
        tgSheet_Add(&sheet, &finger.plain, "(a) SSD");
        tgSheet_Add(&sheet, &finger.shaped, "(b) with the shape of bones");
        tgSheet_Add(&sheet, &finger.kept, "(c) and with its volume");
        tgAddNumber(entry, (double)NAN, report.movedCount, "vertices", tg_betterNeither,
                    "skin that bones moved");
        tgAddNumber(entry, (double)NAN,
                    1000.0 * tgGetLargestDistance(&finger.plain, &finger.shaped), "mm",
                    tg_betterNeither, "the farthest");
        tgAddNumber(entry, (double)NAN, tgGetLoss(&finger.plain), "% of the volume",
                    tg_betterNeither, "change of the hand, SSD");
        tgAddNumber(entry, (double)NAN, tgGetLoss(&finger.shaped), "% of the volume",
                    tg_betterNeither, "change of the hand, with the shape of bones");
        tgAddNumber(entry, (double)NAN, tgGetLoss(&finger.kept), "% of the volume",
                    tg_betterNeither, "change of the hand, and with its volume");
        status = tgSheet_Save(&sheet, entry,
                              "The bent forefinger from outside: the knuckle at its middle "
                              "joint shows in (b) and (c).");
    }
    tgCloseSheet(&sheet);
    tgCloseForefinger(&finger);
    return status;
}

static const tgPaperItem tg_items[] = {
    {"2010-figure-2", "Figure 2", "Expression of projected bones",
     "The paper gives no numbers. The hand, its bones and its motion are Turgor's own.",
     tgMakeFigure2},
    {"2010-figure-3", "Figure 3", "SSD and the shape of bones on a forefinger",
     "The paper's (c) is a photograph of a real finger. In its place stands what the paper leaves "
     "to come, the inner side of the joint: bones and volume together.",
     tgMakeFigure3},
};

const tgPaperList tg_paper2010 = {
    "2010: A skinning technique considering the shape of human skeletons (Suda, Yamanaka, "
    "Morishima)",
    tg_items, sizeof(tg_items) / sizeof(tg_items[0]),
    "Not made: figure 1 is a photograph of the motion capture studio. turgor model hand --markers "
    "writes made-up markers in its place, turgor centers finds the joints."};
