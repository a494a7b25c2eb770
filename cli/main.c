// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor VERB [FILE] [options]

#include "commands.h"
#include "io/settings_text.h"
#include "report.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char* name;
    int (*run)(int argc, char** argv);
    const char* summary;
} tg_verbs[] = {
    {"demo", tgCommandDemo, "bake the embedded characters: GLBs, pictures, volume plots"},
    {"info", tgCommandInfo, "what is in a file"},
    {"bake", tgCommandBake, "deform every frame and write it: .glb .gltf .pc2 .mdd .obj .usda"},
    {"correctives", tgCommandCorrectives,
     "the skin with a few corrective morph targets, for engines"},
    {"pose", tgCommandPose, "deform one frame, or a pose made of turned joints, and write it"},
    {"measure", tgCommandMeasure, "volume per frame, linear, dual quaternion and corrected"},
    {"centers", tgCommandCenters, "joint centres and a skeleton from motion capture markers"},
    {"render", tgCommandRender, "a picture of one frame, or a film"},
    {"rig", tgCommandRig, "a skeleton for a bare mesh, and its weights"},
    {"bind", tgCommandBind, "automatic weights for a mesh and a skeleton"},
    {"studio", tgCommandStudio, "draw curves on a web page of this machine, and see the skin"},
    {"paper", tgCommandPaper, "the papers' tables and figures, beside the published numbers"},
    {"model", tgCommandModel, "write an embedded character"},
};

enum { tg_verbCount = sizeof(tg_verbs) / sizeof(tg_verbs[0]) };

static void tgPrintOverview(FILE* out)
{
    fprintf(out, "turgor: skin that keeps its volume\n\n  turgor VERB [FILE] [options]\n\n");
    for (int i = 0; i < tg_verbCount; ++i) {
        fprintf(out, "  %-11s %s\n", tg_verbs[i].name, tg_verbs[i].summary);
    }
    fprintf(out, "\n  turgor VERB --help tells a verb's options; turgor --version the version.\n");
}

static int tgRun(int argc, char** argv)
{
    if (argc < 2) {
        tgPrintOverview(stderr);
        return tg_statusUsage;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        tgPrintOverview(stdout);
        return tg_statusDone;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("turgor %d.%d.%d\n", TURGOR_VERSION_MAJOR, TURGOR_VERSION_MINOR,
               TURGOR_VERSION_PATCH);
        return tg_statusDone;
    }
    tgNearest nearest = {.word = argv[1]};
    for (int i = 0; i < tg_verbCount; ++i) {
        if (strcmp(argv[1], tg_verbs[i].name) == 0) {
            tgCatchInterrupt(argv[1]);
            return tg_verbs[i].run(argc - 2, argv + 2);
        }
        tgNearest_Try(&nearest, tg_verbs[i].name);
    }
    bool isNear = nearest.best != NULL;
    return tgSayUsage("there is no verb %s%s%s; see turgor --help", argv[1],
                      isNear ? ", perhaps " : "", isNear ? nearest.best : "");
}

int main(int argc, char** argv)
{
    int status = tgRun(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == tg_statusDone) {
        status = tgSayFailure("standard output", "cannot be written");
    }
    return status;
}
