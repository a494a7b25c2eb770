// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The papers' tables and figures, made again: what each one is, and the desk that they are made at.
//
// Each paper has a file with a table of its items. An item's function computes numbers, draws
// pictures, and adds both to its entry; the page is written from the entries.
#ifndef TURGOR_PAPER_PAPER_H
#define TURGOR_PAPER_PAPER_H

#include "cli/figure.h"
#include "draw/plot.h"
#include "draw/section.h"
#include "turgor/models.h"

enum { tg_mostNumbers = 24, tg_mostPictures = 6, tg_mostPaperScenes = 16, tg_paperPath = 1024 };

/// Which way a number is better than the published one.
typedef enum tgBetter {
    tg_betterNeither = 0, ///< it describes the input
    tg_betterLess,
    tg_betterMore,
} tgBetter;

typedef struct tgPaperNumber {
    char what[112];
    double published; ///< NAN: the paper gives none
    double ours;      ///< computed in this run
    const char* unit;
    tgBetter better;
    bool isTiming; ///< differs from run to run
} tgPaperNumber;

typedef struct tgPaperPicture {
    char file[64]; ///< beside the page
    char words[256];
    int width, height; ///< pixels
} tgPaperPicture;

struct tgPaperItem;

typedef struct tgPaperEntry {
    const struct tgPaperItem* item;
    int numberCount, pictureCount;
    tgPaperNumber numbers[tg_mostNumbers];
    tgPaperPicture pictures[tg_mostPictures];
} tgPaperEntry;

/// A scene that several items use.
typedef struct tgPaperScene {
    char name[32];
    int vertexCount;
    tgScene* scene;
} tgPaperScene;

/// Where the items are made.
typedef struct tgPaper {
    const char* folder;
    const char* assets; ///< a folder with other people's characters; NULL: none
    const char* only;   ///< the one item that is made; NULL: all
    int width, height;  ///< of one panel
    tgThreadPool* pool; ///< for pictures; timings are taken on one thread
    int sceneCount;
    tgPaperScene scenes[tg_mostPaperScenes];
} tgPaper;

/// One table or figure.
typedef struct tgPaperItem {
    const char* id;    ///< "2008-table-2": the name of its files, and for --only
    const char* label; ///< "Table 2"
    const char* title;
    const char* words;                                ///< what is compared with what, and how
    int (*make)(tgPaper* paper, tgPaperEntry* entry); ///< returns the status
} tgPaperItem;

typedef struct tgPaperList {
    const char* heading; ///< of the paper
    const tgPaperItem* items;
    int itemCount;
    const char* notMade; ///< its figures that are not ours to make, and why; NULL: all are made
} tgPaperList;

extern const tgPaperList tg_paper2005, tg_paper2008, tg_paper2009, tg_paper2010, tg_paperPoster,
    tg_paperOurs, tg_paperOverheads;

// ---- numbers -----------------------------------------------------------------------------------

/// @param published NAN where the paper gives no number
tgPaperNumber* tgAddNumber(tgPaperEntry* entry, double published, double ours, const char* unit,
                           tgBetter better, const char* what, ...) TG_PRINTF(6, 7);

// ---- characters --------------------------------------------------------------------------------

/// An embedded character with about so many vertices; it lives as long as the paper. NULL with one
/// line on standard error.
const tgScene* tgPaper_GetModel(tgPaper* paper, const char* name, int vertexCount);
/// The papers' own giraffe where the assets have it, the embedded one otherwise.
const tgScene* tgPaper_GetGiraffe(tgPaper* paper, int vertexCount);
/// A tube, which the caller destroys. NULL with one line on standard error.
tgScene* tgMakeCylinder(const tgCylinderDef* def);

/// Plain linear skinning with the volume kept in some way; returns the status.
/// @param volume NULL: not kept
int tgOpenSkin(const tgScene* scene, const tgVolumeDef* volume, tgActor* actor);
/// The defaults of a method; with a profile for all joints unless it is NULL.
tgVolumeDef tgMakeVolume(tgVolumeMethod method, const tgProfile* profile);

/// Turn joints of the bind pose: JOINT=AX,AY,AZ,DEGREES each, up to a NULL; returns the status.
int tgTurnActor(tgActor* actor, const char* const* turns);
/// A time of the first animation; returns the status.
int tgPlay(tgActor* actor, double time);
/// The time at which a cylinder's animation has bent it all the way.
double tgGetBendTime(const tgScene* cylinder);
/// Where plain skinning changes the volume of the first animation most, in seconds; returns the
/// status.
int tgFindWorstTime(const tgScene* scene, double* time);

/// Of the volume to keep, in percent, signed.
double tgGetLoss(tgActor* actor);
/// The shortest of many frames in the pose it stands in, on this thread, in seconds.
double tgTimeFrame(tgActor* actor);
/// The shortest frame of one over that of another, taken in turns: a busy moment meets both.
double tgTimeRatio(tgActor* actor, tgActor* base);
/// Seconds by a clock that only goes on.
double tgNow(void);
/// The largest distance between two skins of the same vertices.
double tgGetLargestDistance(const tgActor* a, const tgActor* b);
/// The volume of a closed mesh by prisms: triangles down to a plane z = height.
double tgSumPrisms(const tgScene* scene, double height);

// ---- pictures ----------------------------------------------------------------------------------

enum { tg_mostSheetPanels = 6 };

/// Panels side by side, of one scene, seen by one camera. It stays where it is while it is open.
typedef struct tgSheet {
    tgPaper* paper;
    tgSettings settings; ///< and the next: only what pictures ask of them
    tgShot shot;
    tgShow show;
    tgFigure figure;
    float shape;
    const bool* focus;
    int count;
    tgPanel panels[tg_mostSheetPanels];
} tgSheet;

typedef struct tgSheetDef {
    const tgActor* actor; ///< any of those that are shown
    const char* show;     ///< as in --show; "displacement" for any values. NULL: the skin
    const char* title;    ///< of the values' scale
    const char* view;     ///< as in --view; NULL: three-quarter
    bool wireframe;
    float shape;       ///< height of a panel over its width; 0: as the paper's panels are
    const bool* focus; ///< vertices that the camera looks at; NULL: all
} tgSheetDef;

/// Vertices between two heights of the bind pose, for the focus of a sheet; free them. NULL without
/// memory.
bool* tgMarkHeights(const tgScene* scene, float low, float high);
/// Returns the status; close it in either case.
int tgOpenSheet(tgPaper* paper, const tgSheetDef* def, tgSheet* sheet);
void tgCloseSheet(tgSheet* sheet);
/// One more panel: the skin as it stands. With values all are 0. NULL without memory.
tgPanel* tgSheet_Add(tgSheet* sheet, const tgActor* actor, const char* label, ...) TG_PRINTF(3, 4);
/// The same with a value for each vertex, in the unit of the scale's title: how far the skin is
/// from another, in percent of the diagonal.
tgPanel* tgSheet_AddMoved(tgSheet* sheet, const tgActor* actor, const tgActor* plain,
                          const char* label);
/// Draw, save beside the page and tell the entry; returns the status.
int tgSheet_Save(tgSheet* sheet, tgPaperEntry* entry, const char* words);

/// Save a plot beside the page and tell the entry; returns the status.
int tgSavePaperPlot(tgPaper* paper, tgPaperEntry* entry, tgPlotDef* plot, const char* words);

/// Outlines in one plane; the first one is filled, where all of it is seen.
typedef struct tgOutlines {
    tgPlane plane;
    float moved; ///< lines from the second's vertices in the plane to the first's, where those are
                 ///< farther apart than that; 0: none
    float focus; ///< only what is so near to the plane's origin; 0: all
    int count;
    const tgActor* actors[4];
    const char* labels[4];
} tgOutlines;
/// Save a picture of the outlines and tell the entry; returns the status.
int tgSaveOutlines(tgPaper* paper, tgPaperEntry* entry, const tgOutlines* outlines,
                   const char* words);

// ---- the page ----------------------------------------------------------------------------------

/// index.html; returns the status.
/// @param entries of all lists one after the other; without numbers and pictures: left out
int tgWritePaperPage(const tgPaper* paper, const tgPaperList* const* lists, int listCount,
                     const tgPaperEntry* entries);

/// Whether ours is the worse one.
bool tgIsWorse(const tgPaperNumber* number);

#endif
