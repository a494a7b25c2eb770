// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the user is told beside the result: errors, warnings, progress; and Ctrl-C.
#ifndef TURGOR_CLI_REPORT_H
#define TURGOR_CLI_REPORT_H

#include "turgor/io.h"
#include "turgor/scene.h"

enum { tg_statusDone = 0, tg_statusFailed = 1, tg_statusUsage = 2 };

typedef struct tgPercentText {
    char text[32];
} tgPercentText;

typedef struct tgVolumeText {
    char text[160];
} tgVolumeText;

typedef struct tgPerhapsText {
    char text[80];
} tgPerhapsText;

typedef struct tgNameText {
    char text[256];
} tgNameText;

/// As tgLoadSceneWith; says what is wrong when it returns NULL.
tgScene* tgLoadCharacter(const char* file, const tgLoadDef* def);

/// `turgor: FILE: message` on standard error; returns tg_statusFailed.
int tgSayFailed(const char* file, const tgError* error);
int tgSayFailure(const char* file, const char* format, ...) TG_PRINTF(2, 3);
/// The same for wrong usage: `turgor: message`; returns tg_statusUsage.
int tgSayUsage(const char* format, ...) TG_PRINTF(1, 2);
/// The same for a joint that the character does not have, and for an animation: names the one that
/// comes nearest.
int tgSayNoJoint(const char* file, const tgScene* scene, const char* name);
/// The joint of a name, or the only one that fits a pattern; says so where there is none or more.
/// Returns the status.
int tgFindOneJoint(const char* file, const tgScene* scene, const char* name, int* joint);
int tgSayNoAnimation(const char* file, const tgScene* scene, const char* name);
/// ", perhaps WORD" for the one of the words, which end in NULL, that comes nearest to what was
/// written; nothing when none is near, or one is just that.
tgPerhapsText tgTellPerhaps(const char* written, const char* const* words);
/// A name out of a file for one line of a terminal: what would end the line or steer the terminal
/// is a question mark, and a very long name is cut.
tgNameText tgTellName(const char* name);
/// A part of 1 in per cent, as one writes it: "0.012", "3.4", "2979.3".
tgPercentText tgTellPercent(double part);
/// Where a mesh has no volume, in one line; nothing where it has one everywhere.
tgVolumeText tgTellNoVolume(const tgRigInfo* info);
/// `turgor: FILE: warning: ...` for each of the scene's warnings.
void tgSayWarnings(const char* file, const tgScene* scene);

/// A bar on standard error when that is a terminal, with the time that is left; nothing otherwise.
/// Work that takes more than a few seconds is told on a line of its own as soon as that is known,
/// with the memory it takes. Another `what`, or less done than before, is another work.
void tgShowProgress(const char* what, int done, int total);

/// From here on Ctrl-C ends the program with one line and tg_statusFailed, a second one at once;
/// and a file that grows past what is allowed is an error of its writer.
void tgCatchInterrupt(const char* verb);
/// From here on it only sets a flag, so that temporary files can be removed: call it before one is
/// made, and ask the flag in what takes long.
void tgHoldInterrupt(void);
/// No temporary file is there: for work that does not ask the flag Ctrl-C ends the program again,
/// at once where there was one meanwhile.
void tgReleaseInterrupt(void);
bool tgWasInterrupted(void);

#endif
