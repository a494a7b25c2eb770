// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Options of a verb. `--name value` and `--name=value` both do; what is wrong is said in one line.

#include "args.h"

#include "inputs.h"
#include "io/settings_text.h"
#include "report.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tgPrintHelp(const tgVerb* verb)
{
    printf("turgor %s%s%s [options]\n\n%s\n\n", verb->name, verb->operand != NULL ? " " : "",
           verb->operand != NULL ? verb->operand : "", verb->summary);
    for (int i = 0; i < verb->optionCount; ++i) {
        const tgOption* option = &verb->options[i];
        char left[64];
        snprintf(left, sizeof(left), "%s%s%s", option->name, option->value != NULL ? " " : "",
                 option->value != NULL ? option->value : "");
        printf("  %-34s %s\n", left, option->help);
    }
    printf("  %-34s %s\n", "--help", "this text");
}

static const tgOption* tgFindOption(const tgVerb* verb, const char* name, size_t length)
{
    for (int i = 0; i < verb->optionCount; ++i) {
        const char* own = verb->options[i].name;
        if (strlen(own) == length && strncmp(own, name, length) == 0) {
            return &verb->options[i];
        }
    }
    return NULL;
}

static bool tgParseInt(const char* text, char end, int* value, const char** after)
{
    char* stop = NULL;
    errno = 0;
    long number = strtol(text, &stop, 10);
    *after = stop;
    *value = (int)number;
    return stop != text && *stop == end && errno == 0 && number >= INT_MIN && number <= INT_MAX;
}

static bool tgParseRange(const char* text, int range[2])
{
    const char* after;
    return tgParseInt(text, ':', &range[0], &after) &&
           tgParseInt(after + 1, '\0', &range[1], &after);
}

static bool tgStoreValue(const tgOption* option, const char* value)
{
    const char* after;
    char* stop = NULL;
    switch (option->kind) {
    case tg_optionFlag:
        *(bool*)option->target = true;
        return true;
    case tg_optionText:
        *(const char**)option->target = value;
        return true;
    case tg_optionTexts: {
        tgTextList* list = option->target;
        if (list->count == tg_mostRepeats) {
            return false;
        }
        list->values[list->count++] = value;
        return true;
    }
    case tg_optionPair: // the second one follows
        ((const char**)option->target)[0] = value;
        return true;
    case tg_optionInt:
        return tgParseInt(value, '\0', option->target, &after);
    case tg_optionNumber: {
        double number = strtod(value, &stop);
        *(double*)option->target = number;
        return stop != value && *stop == '\0' && isfinite(number);
    }
    case tg_optionRange:
        return tgParseRange(value, option->target);
    }
    return false;
}

static const char* tgDescribeKind(tgOptionKind kind)
{
    switch (kind) {
    case tg_optionInt:
        return "a whole number";
    case tg_optionNumber:
        return "a number";
    case tg_optionRange:
        return "two whole numbers";
    case tg_optionPair:
        return "two values";
    default:
        return "a value";
    }
}

/// The one that comes nearest is told, where any is near.
static void tgSayNoOption(const tgVerb* verb, const char* text, size_t length)
{
    char word[64];
    snprintf(word, sizeof(word), "%.*s", (int)length, text);
    tgNearest nearest = {.word = word};
    for (int i = 0; i < verb->optionCount; ++i) {
        tgNearest_Try(&nearest, verb->options[i].name);
    }
    bool isNear = nearest.best != NULL && strncmp(word, "--", 2) == 0;
    tgSayUsage("%s has no option %.*s%s%s; see turgor %s --help", verb->name, (int)length, text,
               isNear ? ", perhaps " : "", isNear ? nearest.best : "", verb->name);
}

/// One option at argv[*at]; moves on to its value. False when something is wrong.
static bool tgParseOption(const tgVerb* verb, int argc, char** argv, int* at)
{
    const char* text = argv[*at];
    const char* equals = strncmp(text, "--", 2) == 0 ? strchr(text, '=') : NULL;
    size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const tgOption* option = tgFindOption(verb, text, length);
    if (option == NULL) {
        tgSayNoOption(verb, text, length);
        return false;
    }
    const char* value = equals != NULL ? equals + 1 : NULL;
    if (option->kind == tg_optionFlag && value != NULL) {
        tgSayUsage("%s takes no value, found %s", option->name, value);
        return false;
    }
    if (option->kind != tg_optionFlag && value == NULL) {
        if (*at + 1 >= argc) {
            tgSayUsage("%s wants %s (%s)", option->name, tgDescribeKind(option->kind),
                       option->value);
            return false;
        }
        value = argv[++*at];
    }
    if (!tgStoreValue(option, value)) {
        if (option->kind == tg_optionTexts) {
            tgSayUsage("%s is given too often, at most %d times", option->name, tg_mostRepeats);
        } else {
            tgSayUsage("%s wants %s (%s), found %s", option->name, tgDescribeKind(option->kind),
                       option->value, value);
        }
        return false;
    }
    if (option->kind == tg_optionPair) {
        if (*at + 1 >= argc || value[0] == '-' || argv[*at + 1][0] == '-') { // an option follows
            tgSayUsage("%s wants two values (%s), found %s%s", option->name, option->value,
                       value[0] == '-' ? "" : "only ", value);
            return false;
        }
        ((const char**)option->target)[1] = argv[++*at];
    }
    return true;
}

tgParse tgParseArguments(const tgVerb* verb, int argc, char** argv, const char** operand)
{
    *operand = NULL;
    for (int i = 0; i < argc; ++i) {
        const char* text = argv[i];
        if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            tgPrintHelp(verb);
            return tg_parseDone;
        }
        if (text[0] == '-' && text[1] != '\0') {
            if (!tgParseOption(verb, argc, argv, &i)) {
                return tg_parseWrong;
            }
        } else if (verb->operand == NULL || *operand != NULL) {
            tgSayUsage("%s does not know what to do with %s", verb->name, text);
            return tg_parseWrong;
        } else {
            *operand = text;
        }
    }
    if (verb->operandNeeded && *operand == NULL) {
        tgSayUsage("%s wants %s; see turgor %s --help", verb->name, verb->operand, verb->name);
        return tg_parseWrong;
    }
    if (tgCheckOutputNames(verb) != tg_statusDone) {
        return tg_parseWrong;
    }
    return tgRefuseOutputs(verb, *operand) == tg_statusDone ? tg_parseRun : tg_parseRefused;
}

int tgGetParseStatus(tgParse parse)
{
    switch (parse) {
    case tg_parseRefused:
        return tg_statusFailed;
    case tg_parseWrong:
        return tg_statusUsage;
    default:
        return tg_statusDone;
    }
}

bool tgParseNumbers(const char* text, int count, double* numbers)
{
    for (int i = 0; i < count; ++i) {
        char* end = NULL;
        numbers[i] = strtod(text, &end);
        if (end == text || *end != (i + 1 < count ? ',' : '\0') || !isfinite(numbers[i])) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

int tgParseChoice(const char* option, const char* text, const char* const* choices)
{
    char list[256] = "";
    for (int i = 0; choices[i] != NULL; ++i) {
        if (strcmp(text, choices[i]) == 0) {
            return i;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof(list) - used, "%s%s", i > 0 ? " or " : "", choices[i]);
    }
    tgSayUsage("%s is %s, wanted %s%s", option, text, list, tgTellPerhaps(text, choices).text);
    return -1;
}
