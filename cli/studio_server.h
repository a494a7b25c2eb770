// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The studio's server: the page, one character, one settings file, to this machine alone. Only
// built with libmicrohttpd.
#ifndef TURGOR_CLI_STUDIO_SERVER_H
#define TURGOR_CLI_STUDIO_SERVER_H

#include "studio_page.h"
#include "turgor/scene.h"

#include <stdint.h>

typedef struct tgStudioServer tgStudioServer;

/// Everything it points to outlives the server.
typedef struct tgStudioServerDef {
    const tgStudioPage* page;
    const char* character; ///< a file; NULL: the page shows its own
    const char* settings;  ///< a file that saving writes, which need not exist yet; NULL: none
    const tgScene* scene;  ///< whose joints settings may name
    uint16_t port;         ///< 0: any that is free
} tgStudioServerDef;

/// Serves from a thread of its own until it is stopped. Says what is wrong when it returns NULL.
tgStudioServer* tgStartStudioServer(const tgStudioServerDef* def);
void tgStopStudioServer(tgStudioServer* server); ///< NULL is fine

/// "http://127.0.0.1:PORT/TOKEN/"; valid until it is stopped.
const char* tgStudioServer_GetAddress(const tgStudioServer* server);

#endif
