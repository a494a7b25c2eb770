// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Options of a verb: a table says what there is, the parser checks and stores it.
#ifndef TURGOR_CLI_ARGS_H
#define TURGOR_CLI_ARGS_H

#include <stdbool.h>

enum { tg_mostRepeats = 64 };

/// Values of an option that may be given several times.
typedef struct tgTextList {
    int count;
    const char* values[tg_mostRepeats];
} tgTextList;

typedef enum tgOptionKind {
    tg_optionFlag,   ///< bool
    tg_optionText,   ///< const char*
    tg_optionTexts,  ///< tgTextList
    tg_optionPair,   ///< const char*[2]: the two arguments that follow
    tg_optionInt,    ///< int
    tg_optionNumber, ///< double
    tg_optionRange,  ///< int[2], "A:B"
} tgOptionKind;

typedef struct tgOption {
    const char* name;  ///< "--fps"; "-o" for the output
    const char* value; ///< what stands for its value in the help: "N"; NULL for a flag.
                       ///< "FILE" is an input; "OUT.glb|.gltf" an output, and how it may end
    tgOptionKind kind;
    void* target;
    const char* help;
} tgOption;

typedef struct tgVerb {
    const char* name;
    const char* operand; ///< with what else is needed: "FILE -o OUT"; NULL when there is none
    bool operandNeeded;
    const char* summary; ///< one line
    const tgOption* options;
    int optionCount;
} tgVerb;

/// What the caller should do after parsing.
typedef enum tgParse {
    tg_parseRun,     ///< go on
    tg_parseDone,    ///< help was printed: status 0
    tg_parseRefused, ///< an output is an input, one line was printed: status 1
    tg_parseWrong,   ///< one line was printed: status 2
} tgParse;

/// @param operand the one argument that is no option; NULL when it was not given
tgParse tgParseArguments(const tgVerb* verb, int argc, char** argv, const char** operand);

/// The status of a verb that does not run.
int tgGetParseStatus(tgParse parse);

/// "1,-2,0.5": so many finite numbers with commas between them, and nothing else.
bool tgParseNumbers(const char* text, int count, double* numbers);

/// Index of `text` in a NULL-terminated list, or -1 with one line that lists them.
int tgParseChoice(const char* option, const char* text, const char* const* choices);

#endif
