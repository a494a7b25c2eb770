// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The verbs. Each takes the arguments after its name and returns the exit status.
#ifndef TURGOR_CLI_COMMANDS_H
#define TURGOR_CLI_COMMANDS_H

int tgCommandBind(int argc, char** argv);
int tgCommandBake(int argc, char** argv);
int tgCommandCenters(int argc, char** argv);
int tgCommandCorrectives(int argc, char** argv);
int tgCommandDemo(int argc, char** argv);
int tgCommandInfo(int argc, char** argv);
int tgCommandMeasure(int argc, char** argv);
int tgCommandModel(int argc, char** argv);
int tgCommandPaper(int argc, char** argv);
int tgCommandPose(int argc, char** argv);
int tgCommandRender(int argc, char** argv);
int tgCommandRig(int argc, char** argv);
int tgCommandStudio(int argc, char** argv);

#endif
