// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A measure as one page: numbers, volume over time, pictures of the worst frames, joints by loss,
// settings and warnings.

#include "measure_page.h"

#include "core/core.h"
#include "draw/page.h"
#include "draw/scale.h"
#include "draw/svg.h"
#include "io/output_file.h"
#include "measure_plot.h"
#include "render.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Frames closer than this part of the shot show the same.
static const double tg_sameMoment = 0.05;

/// Joints that lost less of the target are only counted.
static const double tg_leastLoss = 1e-5;
/// And those that lost less have no picture.
static const double tg_leastShown = 1e-3;
/// A close-up shows so many limb radii to every side of a joint.
static const float tg_focusSize = 4.0f;

/// What the parts of the page are made from.
typedef struct tgMeasurePage {
    const tgShot* shot;
    const tgShotOptions* options;
    const tgMeasure* measure;
    FILE* file;
} tgMeasurePage;

static bool tgIsCorrected(const tgMeasurePage* page)
{
    return page->measure->isCorrected;
}

/// <li><b>value</b>words</li>
static void tgAddNumber(const tgMeasurePage* page, const char* value, const char* words)
{
    fputs("<li><b>", page->file);
    tgPage_AddSigns(page->file, value);
    fprintf(page->file, "</b>%s</li>\n", words);
}

/// "2, 0, 2" and "flipped faces: linear, dual quaternion, corrected"
/// @param counts by take
static void tgAddCounts(const tgMeasurePage* page, const int* counts, const char* what)
{
    const tgMeasure* measure = page->measure;
    char text[64] = "", words[128];
    snprintf(words, sizeof(words), "%s", what);
    for (int i = 0; i < measure->takeCount; ++i) {
        size_t textSize = strlen(text), size = strlen(words);
        tgTake take = measure->takes[i];
        snprintf(text + textSize, sizeof(text) - textSize, "%s%d", i > 0 ? ", " : "", counts[take]);
        snprintf(words + size, sizeof(words) - size, "%s %s", i > 0 ? "," : ":",
                 tgGetTakeName(take));
    }
    tgAddNumber(page, text, words);
}

static void tgAddNumbers(const tgMeasurePage* page)
{
    const tgMeasure* measure = page->measure;
    char text[64];
    fputs("<ul class=\"numbers\">\n", page->file);
    for (int i = 0; i < measure->takeCount; ++i) {
        tgTake take = measure->takes[i];
        double worst = 100.0 * tgMeasure_GetWorst(measure, take);
        if (take == tg_takeCorrected) {
            fputs("<li><b>", page->file);
            tgPage_AddNumber(page->file, 2, worst);
            fputs(" %</b>worst frame, corrected</li>\n", page->file);
        } else {
            char words[96];
            snprintf(text, sizeof(text), "%+.2f %%", worst);
            snprintf(words, sizeof(words), "worst frame, %s", tgGetTakeName(take));
            tgAddNumber(page, text, words);
        }
    }
    if (measure->isCorrected) {
        snprintf(text, sizeof(text), "%.2f %%", 100.0 * measure->peakDisplacement);
        tgAddNumber(page, text, "peak displacement, of the diagonal");
    }
    if (tgMeasure_HasScale(measure)) {
        snprintf(text, sizeof(text), "%.2f to %.2f %%", 100.0 * measure->targetScales[0],
                 100.0 * measure->targetScales[1]);
        tgAddNumber(page, text, "volume to keep, of the bind volume");
    }
    tgAddCounts(page, measure->flipped, "flipped faces");
    tgAddCounts(page, measure->crossed, "crossing triangle pairs");
    fputs("</ul>\n", page->file);
    if (fabs(measure->residual) > TG_TOLD_RESIDUAL) {
        fprintf(page->file, "<p class=\"bad\">%s %% of the volume found no place.</p>\n",
                tgTellPercent(fabs(measure->residual)).text);
    }
}

static tgResult tgAddPlot(const tgMeasurePage* page, tgError* error)
{
    tgMeasurePlot plot;
    tgResult result = tgMakeMeasurePlot(page->measure, NULL, &plot, error);
    tgPage_AddText(page->file, "h2", "Volume over time");
    // Letters keep their size on a telephone, so that is another plot.
    static const struct {
        const char* name;
        int width, height;
    } tg_plots[] = {{"broad", 950, 400}, {"narrow", 400, 340}};
    for (int i = 0; i < 2 && result == tg_success; ++i) {
        fprintf(page->file, "<div class=\"%s\">\n", tg_plots[i].name);
        plot.def.width = tg_plots[i].width;
        plot.def.height = tg_plots[i].height;
        result = tgWritePlot(&plot.def, page->file, error);
        fputs("</div>\n", page->file);
    }
    tgFreeMeasurePlot(&plot);
    return result;
}

/// One panel of a wide picture; NULL without memory.
static tgPicture* tgCutPanel(const tgPicture* picture, int panel, int panelCount, tgError* error)
{
    int width = picture->width / panelCount;
    tgColor clear = {0.0f, 0.0f, 0.0f, 0.0f};
    tgPicture* cut = tgCreatePicture(width, picture->height, clear, error);
    if (cut != NULL) {
        tgPicture_Paste(cut, picture, -panel * width, 0);
    }
    return cut;
}

/// Each panel with its words below.
static tgResult tgAddPanels(const tgMeasurePage* page, const tgPicture* picture,
                            const tgRenderNotes* notes, const char* caption, tgError* error)
{
    tgResult result = tg_success;
    fputs("<div class=\"panels\">\n", page->file);
    for (int i = 0; i < notes->panelCount && result == tg_success; ++i) {
        const char* label = notes->labels[i];
        tgPicture* panel = tgCutPanel(picture, i, notes->panelCount, error);
        fputs("<div>\n", page->file);
        result = panel != NULL ? tgPage_AddPicture(page->file, panel,
                                                   label[0] != '\0' ? label : caption, error)
                               : tg_outOfMemory;
        tgDestroyPicture(panel);
        if (label[0] != '\0') {
            const char* gap = strstr(label, "  "); // between the take and its numbers
            int nameLength = gap != NULL ? (int)(gap - label) : (int)strlen(label);
            fprintf(page->file, "<p><b>%.*s</b> ", nameLength, label);
            tgPage_AddSigns(page->file, gap != NULL ? gap + 2 : "");
            fputs("</p>\n", page->file);
        }
        fputs("</div>\n", page->file);
    }
    fputs("</div>\n", page->file);
    return result;
}

/// What the colours mean: a bar, its ends, and its words.
static void tgAddScale(const tgMeasurePage* page, const tgRenderNotes* notes, const char* title)
{
    enum { tg_stopCount = 9 };
    fprintf(page->file, "<div class=\"scale\">%.3g <span style=\"background:linear-gradient(90deg",
            notes->low);
    for (int i = 0; i < tg_stopCount; ++i) {
        tgColor color = tgGetScaleColor((float)i / (float)(tg_stopCount - 1));
        fprintf(page->file, ",color(srgb-linear %.4f %.4f %.4f)", (double)color.r, (double)color.g,
                (double)color.b);
    }
    fprintf(page->file, ")\"></span> %.3g ", notes->high);
    tgPage_AddText(page->file, "i", title);
    fputs("</div>\n", page->file);
}

/// One figure, of a joint or of the whole character; returns the status.
/// @param frame its number
/// @param show as in --show; with arrows where it is not the skin
/// @param joint where the camera looks; -1: at all
static int tgAddFigure(const tgMeasurePage* page, int frame, const char* show, int joint,
                       const char* words)
{
    const tgShot* shot = page->shot;
    tgShow shown = {0};
    tgFocus focus = {.name = joint >= 0 ? shot->scene->joints[joint].name : NULL,
                     .joints = &joint,
                     .count = 1,
                     .size = tg_focusSize};
    tgRenderNotes notes = {0};
    bool isSkin = strcmp(show, "skin") == 0;
    tgRenderDef def = {.shot = shot,
                       .show = &shown,
                       .look = tgDefaultLook(),
                       .compare = isSkin,
                       .joint = joint >= 0 ? &focus : NULL,
                       .arrowScale = isSkin ? 0.0f : 1.0f,
                       .notes = &notes};
    tgMoment moment = tgDefaultMoment();
    moment.frame = frame;
    def.look.background = (tgColor){0.0f, 0.0f, 0.0f, 0.0f}; // the page's, light or dark
    def.look.width = isSkin ? 480 * page->measure->takeCount : 960;
    def.look.height = isSkin ? 480 : 640;
    tgError error = {0};
    tgPicture* picture = NULL;
    int status = tgWasInterrupted() ? tgSayFailure(shot->file, "interrupted")
                                    : tgOpenShow(show, NULL, shot, &shown);
    status = status == tg_statusDone ? tgRenderMoment(&def, &moment, &picture) : status;
    if (status == tg_statusDone) {
        char caption[320], place[128] = "";
        if (joint >= 0) {
            snprintf(place, sizeof(place), ", near %.100s", focus.name);
        }
        snprintf(caption, sizeof(caption), "Frame %d, at %.2f s%s: %s", frame,
                 tgShot_GetTime(shot, frame), place, words);
        fputs("<figure>\n", page->file);
        if (tgAddPanels(page, picture, &notes, caption, &error) != tg_success) {
            status = tgSayFailed(shot->file, &error);
        }
        if (notes.high > notes.low) {
            tgAddScale(page, &notes, shown.title);
        }
        tgPage_AddText(page->file, "figcaption", caption);
        fputs("</figure>\n", page->file);
    }
    tgDestroyPicture(picture);
    tgCloseShow(&shown);
    return status;
}

/// The joint that a vertex follows most.
static int tgFindMainJoint(const tgScene* scene, int v)
{
    int main = v * scene->influencesPerVertex;
    for (int k = 1; k < scene->influencesPerVertex; ++k) {
        int at = v * scene->influencesPerVertex + k;
        main = scene->influenceWeights[at] > scene->influenceWeights[main] ? at : main;
    }
    return scene->influenceJoints[main];
}

/// The joint that lost most and is none of those two, in its own worst frame; returns the status.
static int tgAddNextJoint(const tgMeasurePage* page, int first, int second)
{
    const tgMeasure* measure = page->measure;
    for (int i = 0; i < measure->lossCount && fabs(measure->losses[i].loss) > tg_leastShown; ++i) {
        const tgJointMeasure* at = &measure->losses[i];
        if (at->joint != first && at->joint != second) {
            return tgAddFigure(page, at->frame, "skin", at->joint,
                               "this joint changes the volume most here.");
        }
    }
    return tg_statusDone;
}

/// Pictures of the frames that lost most, each of another joint, and of the largest displacement;
/// returns the status.
static int tgAddFigures(const tgMeasurePage* page)
{
    const tgMeasure* measure = page->measure;
    tgPage_AddText(page->file, "h2", "Worst frames");
    int linear = tgMeasure_GetWorstFrame(measure, tg_takeLinear);
    int dual = tgMeasure_GetWorstFrame(measure, tg_takeDualQuaternion);
    int linearJoint = measure->joints[linear], dualJoint = measure->joints[dual];
    int status = tgAddFigure(page, measure->frames[linear], "skin", linearJoint,
                             "linear skinning changes the volume most here.");
    bool isOther = abs(dual - linear) > tg_sameMoment * measure->frameCount &&
                   (dualJoint < 0 || dualJoint != linearJoint);
    if (status == tg_statusDone && isOther) {
        status = tgAddFigure(page, measure->frames[dual], "skin", dualJoint,
                             "dual quaternions change the volume most here.");
    }
    status = status == tg_statusDone ? tgAddNextJoint(page, linearJoint, dualJoint) : status;
    if (status == tg_statusDone && tgIsCorrected(page) && measure->peakDisplacement > 0.0) {
        int joint = tgFindMainJoint(page->shot->scene, measure->peakVertex);
        status = tgAddFigure(page, measure->frames[measure->peakFrame], "displacement", joint,
                             "the correction moves the skin farthest here.");
    }
    return status;
}

static void tgAddJoints(const tgMeasurePage* page)
{
    const tgMeasure* measure = page->measure;
    if (measure->lossCount == 0) {
        return;
    }
    tgPage_AddText(page->file, "h2", "Joints by loss");
    fputs(
        "<p class=\"soft\">Volume that bending took or added, in % of the target, in each joint's "
        "worst frame.</p>\n<table>\n<tr><th>joint</th><th class=\"number\">% of the target</th>"
        "<th></th></tr>\n",
        page->file);
    double most = fabs(measure->losses[0].loss);
    int told = 0;
    for (; told < measure->lossCount; ++told) { // ranked, so that the rest is less still
        double loss = measure->losses[told].loss;
        if (fabs(loss) < tg_leastLoss) {
            break;
        }
        fputs("<tr><td>", page->file);
        int joint = measure->losses[told].joint;
        tgWriteEscaped(page->file, page->shot->scene->joints[joint].name);
        if (tgShot_GetGain(page->shot, joint) != 1.0f) {
            fprintf(page->file, " (gain %g)", (double)tgShot_GetGain(page->shot, joint));
        }
        fprintf(page->file,
                "</td><td class=\"number\">%s%.3f</td><td class=\"bar\"><span class=\"%s\" "
                "style=\"width:%.1f%%\"></span></td></tr>\n",
                loss < 0.0 ? "&#x2212;" : "+", 100.0 * fabs(loss), loss < 0.0 ? "loss" : "gain",
                100.0 * fabs(loss) / most);
    }
    fputs("</table>\n", page->file);
    if (told < measure->lossCount) {
        fprintf(page->file, "<p class=\"soft\">%d more have less than %.3f %%.</p>\n",
                measure->lossCount - told, 100.0 * tg_leastLoss);
    }
}

/// <tr><td>name</td><td>value</td></tr>
static void tgAddSetting(const tgMeasurePage* page, const char* name, const char* value)
{
    fprintf(page->file, "<tr><td>%s</td><td>", name);
    tgWriteEscaped(page->file, value);
    fputs("</td></tr>\n", page->file);
}

/// The settings file as it stands, if it can still be read.
static void tgAddSettingsFile(const tgMeasurePage* page)
{
    FILE* file = page->options->settings != NULL ? fopen(page->options->settings, "rb") : NULL;
    if (file == NULL) {
        return;
    }
    fputs("<pre>", page->file);
    char line[1024];
    while (fgets(line, sizeof(line), file) != NULL) {
        size_t length = strcspn(line, "\n");
        bool isWhole = line[length] == '\n';
        line[length] = '\0';
        tgWriteEscaped(page->file, line);
        fputs(isWhole ? "\n" : "", page->file);
    }
    fputs("</pre>\n", page->file);
    fclose(file);
}

static void tgAddSettings(const tgMeasurePage* page)
{
    const tgShot* shot = page->shot;
    const tgScene* scene = shot->scene;
    char text[256];
    tgPage_AddText(page->file, "h2", "Settings");
    fputs("<table>\n", page->file);
    tgAddSetting(page, "character", shot->file);
    snprintf(text, sizeof(text), "%s, %s, %s",
             tgTellCount(scene->vertexCount, "vertex", "vertices").text,
             tgTellCount(scene->faceCount, "face", "faces").text,
             tgTellCount(scene->jointCount, "joint", "joints").text);
    tgAddSetting(page, "mesh", text);
    if (shot->animation >= 0) {
        const char* name = scene->animations[shot->animation].name;
        snprintf(text, sizeof(text), "%.128s%sframes %d to %d at %g fps", name,
                 name[0] != '\0' ? ", " : "", shot->firstFrame,
                 shot->firstFrame + shot->frameCount - 1, shot->fps);
    }
    tgAddSetting(page, "animation", shot->animation >= 0 ? text : "none");
    tgAddSetting(page, "skinning", tgGetTakeName((tgTake)shot->settings->skinning));
    tgAddSetting(page, "volume", tgGetMethodName(shot->settings->volume.method));
    tgAddSetting(page, "mode", tgGetModeName(shot->settings->volume.mode));
    tgAddSetting(page, "preset",
                 page->options->preset != NULL     ? page->options->preset
                 : page->options->settings != NULL ? "as the settings say"
                                                   : "organic");
    if (page->options->settings != NULL) {
        tgAddSetting(page, "settings file", page->options->settings);
    }
    fputs("</table>\n", page->file);
    tgAddSettingsFile(page);
}

/// Faces that the correction turns over and plain skinning does not, in their worst frames.
static bool tgHaveFlipsGrown(const tgMeasurePage* page)
{
    const tgMeasure* measure = page->measure;
    tgTake plain = (tgTake)page->shot->settings->skinning;
    return measure->isCorrected && measure->flipped[tg_takeCorrected] > measure->flipped[plain];
}

static void tgAddWarnings(const tgMeasurePage* page)
{
    const tgScene* scene = page->shot->scene;
    const tgSettings* settings = page->shot->settings;
    const tgMeasure* measure = page->measure;
    tgPage_AddText(page->file, "h2", "Warnings");
    if (scene->warningCount + settings->warningCount == 0 && !tgHaveFlipsGrown(page)) {
        fputs("<p class=\"soft\">None.</p>\n", page->file);
        return;
    }
    fputs("<ul>\n", page->file);
    if (tgHaveFlipsGrown(page)) {
        fprintf(page->file,
                "<li>The correction turns faces over: %d in its worst frame, %d under plain "
                "skinning. <code>turgor render --show displacement</code> shows where; a wider "
                "<code>sigma</code> or a smaller <code>gain</code> turns fewer.</li>\n",
                measure->flipped[tg_takeCorrected],
                measure->flipped[page->shot->settings->skinning]);
    }
    for (int i = 0; i < scene->warningCount; ++i) {
        tgPage_AddText(page->file, "li", scene->warnings[i]);
    }
    for (int i = 0; i < settings->warningCount; ++i) {
        tgPage_AddText(page->file, "li", settings->warnings[i]);
    }
    fputs("</ul>\n", page->file);
}

/// Returns the status.
static int tgFillPage(const tgMeasurePage* page)
{
    const char* name = tgGetFileName(page->shot->file);
    tgError error = {0};
    tgPage_Begin(page->file, name);
    tgPage_AddText(page->file, "h1", name);
    fprintf(page->file,
            "<p class=\"lead\">%s under linear skinning, dual quaternions%s. Rest volume "
            "%.6g.</p>\n",
            tgTellCount(page->measure->frameCount, "frame", "frames").text,
            tgIsCorrected(page) ? " and the correction" : "", page->measure->restVolume);
    tgSampledText sampled = tgMeasure_TellSampling(page->measure, page->shot);
    if (sampled.text[0] != '\0') {
        tgPage_AddText(page->file, "p", sampled.text);
    }
    tgAddNumbers(page);
    if (tgAddPlot(page, &error) != tg_success) {
        return tgSayFailed(page->shot->file, &error);
    }
    int status = tgAddFigures(page);
    if (status == tg_statusDone) {
        tgAddJoints(page);
        tgAddSettings(page);
        tgAddWarnings(page);
        tgPage_End(page->file);
    }
    return status;
}

int tgWriteMeasurePage(const tgShot* shot, const tgShotOptions* options, const tgMeasure* measure,
                       const char* path)
{
    tgError error = {0};
    tgOutputFile file = {0};
    if (tgOutputFile_Open(&file, path, &error) != tg_success) {
        return tgSayFailed(path, &error);
    }
    tgMeasurePage page = {shot, options, measure, file.stream};
    int status = tgFillPage(&page);
    if (status == tg_statusDone) {
        tgResult result = tgOutputFile_Finish(&file, &error);
        result = result == tg_success ? tgOutputFile_Commit(&file, &error) : result;
        status = result == tg_success ? tg_statusDone : tgSayFailed(path, &error);
    }
    tgOutputFile_Discard(&file);
    return status;
}
