// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor paper -o DIR: the papers' tables and figures made again, beside the published numbers.

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "paper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const tgPaperList* const tg_lists[] = {
    &tg_paperOurs, &tg_paper2008, &tg_paper2009,      &tg_paperPoster,
    &tg_paper2005, &tg_paper2010, &tg_paperOverheads,
};
enum { tg_listCount = sizeof(tg_lists) / sizeof(tg_lists[0]) };

static int tgCountItems(void)
{
    int count = 0;
    for (int i = 0; i < tg_listCount; ++i) {
        count += tg_lists[i]->itemCount;
    }
    return count;
}

enum { tg_mostItems = 64 }; ///< as many as are looked through for one that was misspelt

static const tgPaperItem* tgGetItem(int index)
{
    int list = 0;
    while (index >= tg_lists[list]->itemCount) {
        index -= tg_lists[list++]->itemCount;
    }
    return &tg_lists[list]->items[index];
}

static int tgListItems(void)
{
    for (int i = 0; i < tgCountItems(); ++i) {
        printf("%-18s %s\n", tgGetItem(i)->id, tgGetItem(i)->title);
    }
    return tg_statusDone;
}

static int tgCheckOnly(const char* only)
{
    const char* ids[tg_mostItems + 1] = {NULL};
    for (int i = 0; i < tgCountItems(); ++i) {
        if (strcmp(tgGetItem(i)->id, only) == 0) {
            return tg_statusDone;
        }
        ids[i < tg_mostItems ? i : tg_mostItems - 1] = tgGetItem(i)->id;
    }
    return tgSayUsage("--only wants a table or figure, found %s%s; turgor paper --list tells them",
                      only, tgTellPerhaps(only, ids).text);
}

/// Make the items, then the page; returns the status.
static int tgMakePaper(tgPaper* paper)
{
    int count = tgCountItems(), status = tg_statusDone;
    tgPaperEntry* entries = calloc((size_t)count, sizeof(tgPaperEntry));
    if (entries == NULL) {
        return tgSayFailure(paper->folder, "out of memory for %d figures", count);
    }
    for (int i = 0; i < count && status == tg_statusDone; ++i) {
        const tgPaperItem* item = tgGetItem(i);
        entries[i].item = item;
        if (paper->only == NULL || strcmp(paper->only, item->id) == 0) {
            tgShowProgress(item->id, i, count);
            status = item->make(paper, &entries[i]);
        }
        if (tgWasInterrupted() && status == tg_statusDone) {
            status = tgSayFailure(paper->folder, "interrupted at %s", item->id);
        }
    }
    if (status == tg_statusDone) {
        tgShowProgress("paper", count, count);
        status = tgWritePaperPage(paper, tg_lists, tg_listCount, entries);
    }
    if (status == tg_statusDone) {
        printf("%s/index.html\n", paper->folder);
    }
    free(entries);
    return status;
}

int tgCommandPaper(int argc, char** argv)
{
    tgPaper paper = {.folder = "paper", .width = 480, .height = 450};
    const char* size = NULL;
    bool list = false;
    int threads = 0;
    const tgOption table[] = {
        {"-o", "DIR", tg_optionText, &paper.folder, "where to write; default paper"},
        {"--assets", "DIR", tg_optionText, &paper.assets,
         "a folder with the paper's own giraffe, giraffe_vs.glb"},
        {"--only", "ID", tg_optionText, &paper.only, "one table or figure alone"},
        {"--size", "WxH", tg_optionText, &size, "pixels of one panel; default 480x450"},
        {"--threads", "N", tg_optionInt, &threads,
         "threads to draw with, of which 64 run at most; default 0: one for each processor"},
        {"--list", NULL, tg_optionFlag, &list, "the tables and figures there are"},
    };
    const tgVerb verb = {
        "paper", NULL,
        false,   "Make the papers' tables and figures again, beside the published numbers.",
        table,   sizeof(table) / sizeof(table[0])};
    const char* operand;
    tgParse parse = tgParseArguments(&verb, argc, argv, &operand);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    if (list) {
        return tgListItems();
    }
    tgLook look = {.width = paper.width, .height = paper.height};
    int status = size != NULL ? tgParseSize(size, &look) : tg_statusDone;
    if (status == tg_statusDone && (look.width > 1600 || look.height > 1600)) {
        status = tgSayUsage("--size is %s, wanted at most 1600x1600 for one panel", size);
    }
    if (status == tg_statusDone && (threads < 0 || threads > 1024)) {
        status = tgSayUsage("--threads is %d, wanted 0 to 1024", threads);
    }
    status = status == tg_statusDone && paper.only != NULL ? tgCheckOnly(paper.only) : status;
    if (status != tg_statusDone) {
        return status;
    }
    paper.width = look.width;
    paper.height = look.height;
    if (strlen(paper.folder) + 80 > tg_paperPath) {
        return tgSayFailure(paper.folder, "is too long a name, at most %d bytes",
                            tg_paperPath - 80);
    }
    if (mkdir(paper.folder, 0777) != 0 && errno != EEXIST) {
        return tgSayFailure(paper.folder, "cannot be made: %s", strerror(errno));
    }
    tgHoldInterrupt();
    paper.pool = tgCreateThreadPool(threads);
    status = tgMakePaper(&paper);
    tgDestroyThreadPool(paper.pool);
    for (int i = 0; i < paper.sceneCount; ++i) {
        tgDestroyScene(paper.scenes[i].scene);
    }
    return status;
}
