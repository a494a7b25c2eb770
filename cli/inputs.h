// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// No output may be an input: a rig that is replaced by its bake is lost.
#ifndef TURGOR_CLI_INPUTS_H
#define TURGOR_CLI_INPUTS_H

#include "args.h"
#include "shot.h"

/// Says so and returns tg_statusFailed when both names mean the same file, also through links.
/// NULL is no file.
int tgRefuseSame(const char* output, const char* input);

/// The same for all that the command line names: an option whose value is an OUT, against the
/// operand and the options whose value is a FILE.
int tgRefuseOutputs(const tgVerb* verb, const char* operand);

/// The same against what the files of a shot name in turn: the buffers and images of a glTF, and
/// the mesh files of bones in its settings.
int tgShot_RefuseOutput(const tgShot* shot, const tgShotOptions* options, const char* output);

#endif
