// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The page of the papers: for each table and figure the published numbers beside ours, the
// pictures, and the command that makes it.

#include "draw/page.h"
#include "cli/report.h"
#include "draw/svg.h"
#include "io/output_file.h"
#include "paper.h"

#include <math.h>
#include <string.h>

bool tgIsWorse(const tgPaperNumber* number)
{
    if (isnan(number->published)) {
        return false;
    }
    return (number->better == tg_betterLess && number->ours > number->published) ||
           (number->better == tg_betterMore && number->ours < number->published);
}

static bool tgHasContent(const tgPaperEntry* entry)
{
    return entry->numberCount > 0 || entry->pictureCount > 0;
}

/// @param isCompared the table has columns for published numbers
static void tgAddRow(FILE* file, const tgPaperNumber* number, bool isCompared)
{
    bool isWorse = tgIsWorse(number), isTold = !isnan(number->published);
    // Short times are told in milliseconds; which are does not change from run to run.
    bool isShort = strcmp(number->unit, "s") == 0 && !(number->published >= 10.0);
    double scale = isShort ? 1000.0 : 1.0;
    fputs("<tr><td>", file);
    tgWriteEscaped(file, number->what);
    fputs("</td>", file);
    if (isCompared) {
        fputs("<td class=\"number published\">", file);
        if (isTold) {
            tgPage_AddNumber(file, 4, scale * number->published);
        }
        fputs("</td>", file);
    }
    fprintf(file, "<td class=\"number ours%s%s\">", isWorse ? " worse" : "",
            number->isTiming ? " timing" : "");
    tgPage_AddNumber(file, 3, scale * number->ours);
    fputs(isWorse ? " worse</td>" : "</td>", file);
    if (isCompared) {
        fprintf(file, "<td class=\"number%s\">", number->isTiming ? " timing" : "");
        if (isTold && number->published != 0.0) {
            tgPage_AddNumber(file, 3, number->ours / number->published);
        }
        fputs("</td>", file);
    }
    fputs("<td>", file);
    tgWriteEscaped(file, isShort ? "ms" : number->unit);
    fputs("</td></tr>\n", file);
}

static void tgAddNumberTable(FILE* file, const tgPaperEntry* entry)
{
    if (entry->numberCount == 0) {
        return;
    }
    bool isCompared = false;
    for (int i = 0; i < entry->numberCount; ++i) {
        isCompared |= !isnan(entry->numbers[i].published);
    }
    fprintf(file,
            "<div class=\"wide\"><table>\n<tr><th>what</th>%s<th class=\"number\">ours</th>%s"
            "<th>unit</th></tr>\n",
            isCompared ? "<th class=\"number\">published</th>" : "",
            isCompared ? "<th class=\"number\">ratio</th>" : "");
    for (int i = 0; i < entry->numberCount; ++i) {
        tgAddRow(file, &entry->numbers[i], isCompared);
    }
    fputs("</table></div>\n", file);
}

static void tgAddPictures(FILE* file, const tgPaperEntry* entry)
{
    for (int i = 0; i < entry->pictureCount; ++i) {
        const tgPaperPicture* picture = &entry->pictures[i];
        // No wider than it was drawn, so that it stays sharp.
        fprintf(file,
                "<figure>\n<img style=\"max-width:%dpx\" width=\"%d\" height=\"%d\" "
                "loading=\"lazy\" src=\"%s\" alt=\"",
                picture->width, picture->width, picture->height, picture->file);
        tgWriteEscaped(file, picture->words);
        fputs("\"/>\n", file);
        tgPage_AddText(file, "figcaption", picture->words);
        fputs("</figure>\n", file);
    }
}

static void tgAddEntry(FILE* file, const tgPaper* paper, const tgPaperEntry* entry)
{
    const tgPaperItem* item = entry->item;
    fprintf(file, "<section id=\"%s\">\n<h3>", item->id);
    tgWriteEscaped(file, item->label);
    fputs(". ", file);
    tgWriteEscaped(file, item->title);
    fputs("</h3>\n", file);
    tgPage_AddText(file, "p", item->words);
    tgAddNumberTable(file, entry);
    tgAddPictures(file, entry);
    fprintf(file, "<pre>turgor paper -o paper --only %s%s</pre>\n</section>\n", item->id,
            paper->assets != NULL ? " --assets DIR" : "");
}

static void tgAddList(FILE* file, const tgPaper* paper, const tgPaperList* list,
                      const tgPaperEntry* entries)
{
    bool any = false;
    for (int i = 0; i < list->itemCount; ++i) {
        any |= tgHasContent(&entries[i]);
    }
    if (!any) {
        return;
    }
    tgPage_AddText(file, "h2", list->heading);
    for (int i = 0; i < list->itemCount; ++i) {
        if (tgHasContent(&entries[i])) {
            tgAddEntry(file, paper, &entries[i]);
        }
    }
    if (list->notMade != NULL) {
        tgPage_AddText(file, "p", list->notMade);
    }
}

/// How many numbers have a published one to stand against, and how many of those are worse.
static void tgAddSummary(FILE* file, const tgPaperEntry* entries, int entryCount)
{
    int told = 0, worse = 0, shown = 0;
    for (int i = 0; i < entryCount; ++i) {
        shown += tgHasContent(&entries[i]);
        for (int k = 0; k < entries[i].numberCount; ++k) {
            const tgPaperNumber* number = &entries[i].numbers[k];
            told += !isnan(number->published) && number->better != tg_betterNeither;
            worse += tgIsWorse(number);
        }
    }
    fprintf(file,
            "<ul class=\"numbers\"><li><b>%d</b>tables and figures</li><li><b>%d</b>published "
            "numbers to beat</li><li><b class=\"timing%s\">%d</b>where ours is worse, in red</li>"
            "</ul>\n",
            shown, told, worse > 0 ? " worse" : "", worse);
}

int tgWritePaperPage(const tgPaper* paper, const tgPaperList* const* lists, int listCount,
                     const tgPaperEntry* entries)
{
    char path[tg_paperPath];
    snprintf(path, sizeof(path), "%s/index.html", paper->folder);
    tgError error = {0};
    tgOutputFile file = {0};
    if (tgOutputFile_Open(&file, path, &error) != tg_success) {
        return tgSayFailed(path, &error);
    }
    int entryCount = 0;
    for (int i = 0; i < listCount; ++i) {
        entryCount += lists[i]->itemCount;
    }
    tgPage_Begin(file.stream, "Turgor: the papers made again");
    tgPage_AddText(file.stream, "h1", "The papers, made again");
    tgPage_AddText(file.stream, "p",
                   "Every number in the column \"ours\" was computed in the run that wrote this "
                   "page. Times are the shortest of many frames on one thread of this machine; the "
                   "published ones are of the papers' machines. Characters are Turgor's own where "
                   "the papers' are not to be had, so their losses differ.");
    tgAddSummary(file.stream, entries, entryCount);
    for (int i = 0, first = 0; i < listCount; first += lists[i]->itemCount, ++i) {
        tgAddList(file.stream, paper, lists[i], entries + first);
    }
    tgPage_End(file.stream);
    tgResult result = tgOutputFile_Finish(&file, &error);
    result = result == tg_success ? tgOutputFile_Commit(&file, &error) : result;
    tgOutputFile_Discard(&file);
    return result == tg_success ? tg_statusDone : tgSayFailed(path, &error);
}
