// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor studio [FILE]: the page to draw curves on, served to this machine alone until Ctrl-C.

#include "args.h"
#include "commands.h"
#include "io/output_file.h"
#include "report.h"
#include "shot.h"
#include "studio_page.h"
#include "turgor/models.h"

#include <stdlib.h>
#include <string.h>

#ifdef TURGOR_STUDIO

#include "inputs.h"
#include "studio_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

enum { tg_askInterrupt = 100 }; ///< milliseconds that Ctrl-C may wait

/// Where there is a screen. Whatever comes of it, the address has been printed.
static void tgOpenBrowser(const char* address)
{
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if ((x11 == NULL || x11[0] == '\0') && (wayland == NULL || wayland[0] == '\0')) {
        return;
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return;
    }
    if (posix_spawnattr_init(&attributes) == 0) {
        // A group of its own: Ctrl-C ends the server, not the browser.
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
        char* const arguments[] = {"xdg-open", (char*)address, NULL};
        posix_spawnp(&child, "xdg-open", &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
}

static int tgServe(const tgStudioServerDef* def, bool isQuiet)
{
    tgHoldInterrupt();
    signal(SIGPIPE, SIG_IGN); // a browser that goes away is no reason to end
    tgStudioServer* server = tgStartStudioServer(def);
    if (server == NULL) {
        return tg_statusFailed;
    }
    printf("%s\nserving this machine alone; Ctrl-C ends it\n", tgStudioServer_GetAddress(server));
    fflush(stdout);
    if (!isQuiet) {
        tgOpenBrowser(tgStudioServer_GetAddress(server));
    }
    while (!tgWasInterrupted()) {
        poll(NULL, 0, tg_askInterrupt);
        while (waitpid(-1, NULL, WNOHANG) > 0) {
            // What opened the browser has done so.
        }
    }
    tgStopStudioServer(server);
    return tg_statusDone;
}

/// The settings as they are now must be read; none yet are fine.
static int tgCheckSettings(const char* file, const tgScene* scene)
{
    if (file == NULL || (access(file, F_OK) != 0 && errno == ENOENT)) {
        return tg_statusDone;
    }
    tgError error = {0};
    tgSettings* settings = tgLoadSettings(file, scene, &error);
    int status = settings != NULL ? tg_statusDone : tgSayFailed(file, &error);
    tgDestroySettings(settings);
    return status;
}

/// The character, or the one that the page shows by itself.
static tgScene* tgLoadStudioScene(const char* file)
{
    tgError error = {0};
    if (file != NULL) {
        tgLoadDef def = tgDefaultLoadDef();
        return tgLoadCharacter(file, &def);
    }
    tgScene* scene = tgCreateModel("elephant", 0, &error);
    if (scene == NULL) {
        tgSayFailed("elephant", &error);
    }
    return scene;
}

static int tgRunStudio(const char* file, const char* settings, int port, bool isQuiet)
{
    tgStudioPage page = {0};
    int status = tgReadStudioPage(&page);
    tgScene* scene = status == tg_statusDone ? tgLoadStudioScene(file) : NULL;
    status = scene != NULL ? tgCheckSettings(settings, scene) : tg_statusFailed;
    if (status == tg_statusDone) {
        tgStudioServerDef def = {&page, file, settings, scene, (uint16_t)port};
        status = tgServe(&def, isQuiet);
    }
    tgDestroyScene(scene);
    tgFreeStudioPage(&page);
    return status;
}

#else

static int tgRunStudio(const char* file, const char* settings, int port, bool isQuiet)
{
    (void)file, (void)settings, (void)port, (void)isQuiet;
    return tgSayFailure("studio", "this turgor was built without libmicrohttpd, which serves the "
                                  "page; install libmicrohttpd-dev and build again");
}

#endif

int tgCommandStudio(int argc, char** argv)
{
    const char *settings = NULL, *file;
    int port = 0;
    bool isQuiet = false;
    const tgOption table[] = {
        {"--settings", "FILE.json", tg_optionText, &settings,
         "read at the start, written by Save; it need not exist yet"},
        {"--port", "N", tg_optionInt, &port, "of 127.0.0.1; default 0: any that is free"},
        {"--no-open", NULL, tg_optionFlag, &isQuiet, "open no browser, only print the address"},
    };
    const tgVerb verb = {
        "studio", "[FILE]",
        false,    "Draw the curves of a .glb or .gltf in the browser, and see its skin.",
        table,    sizeof(table) / sizeof(table[0])};
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    if (port < 0 || port > 65535) {
        return tgSayUsage("--port is %d, wanted 0 to 65535", port);
    }
    if (file != NULL && !tgHasEnding(file, ".glb") && !tgHasEnding(file, ".gltf")) {
        return tgSayFailure(file, "the studio reads .glb and .gltf; the other verbs read more");
    }
    return tgRunStudio(file, settings, port, isQuiet);
}
