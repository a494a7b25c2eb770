// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What outputs may be called. None may be an input: a rig that is replaced by its bake is lost.
#ifndef TURGOR_CLI_INPUTS_H
#define TURGOR_CLI_INPUTS_H

#include "args.h"
#include "shot.h"

/// Says so and returns tg_statusFailed when both names mean the same file, also through links.
/// NULL is no file.
int tgRefuseSame(const char* output, const char* input);

/// Every output of the command line ends as its option says, and no two are the same file; says
/// what is wrong. Returns the status.
int tgCheckOutputNames(const tgVerb* verb);

/// As tgRefuseSame for all that the command line names: an option whose value is an OUT, against
/// the operand and the options whose value is a FILE.
int tgRefuseOutputs(const tgVerb* verb, const char* operand);

/// The same against what a glTF names in turn: its buffers and images.
/// @param file where the scene was read
int tgScene_RefuseOutput(const tgScene* scene, const char* file, const char* output);

/// The same for the character of a shot, and the mesh files of bones in its settings.
int tgShot_RefuseOutput(const tgShot* shot, const tgShotOptions* options, const char* output);

#endif
