// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The studio's server. Other programs and other people's web pages on this machine can reach its
// port, so each request is asked four things, in this order, before anything is done for it:
//   Host    is ours: a page elsewhere whose name now stands for 127.0.0.1 has another
//   Origin  is ours or, for reading, not told: a page elsewhere has another
//   token   begins the path: who was not given the address does not know it
//   path    is one of a list of exact names
// What fails is answered without a word about what there is.

#define _GNU_SOURCE // getrandom, SOCK_CLOEXEC

#include "studio_server.h"

#include "io/output_file.h"
#include "report.h"
#include "turgor/settings.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    tg_tokenBytes = 16,           ///< 128 bits are not guessed
    tg_mostConnections = 1200,    ///< further ones wait until one of these ends
    tg_leastConnections = 16,     ///< where files are scarce
    tg_otherFiles = 64,           ///< left for all that is no connection
    tg_idleSeconds = 10,          ///< a connection that says nothing ends
    tg_connectionSize = 16 << 10, ///< bytes; longer headers are refused
    tg_largestSettings = 4 << 20, ///< bytes; those of 1000 joints with curves have 1 million
};

struct tgStudioServer {
    struct MHD_Daemon* daemon;
    tgStudioServerDef def;
    char token[2 * tg_tokenBytes + 1];
    char hosts[2][32];   ///< "127.0.0.1:PORT" and "localhost:PORT"
    char origins[2][40]; ///< the same with "http://" before it
    char address[96];
};

/// A request whose body comes in pieces.
typedef struct tgUpload {
    char* bytes;
    size_t size, capacity;
} tgUpload;

// ---- answers ----

/// Nothing is kept, framed, guessed at or asked from elsewhere. Workers and WebAssembly are the
/// page's own; style comes from scripts of its own too.
static void tgAddHeaders(struct MHD_Response* response, const char* type)
{
    static const char* const tg_headers[][2] = {
        {"Cache-Control", "no-store"},
        {"Content-Security-Policy",
         "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' "
         "'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' "
         "data: blob:; "
         "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
        {"Cross-Origin-Embedder-Policy", "require-corp"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
    };
    for (size_t i = 0; i < sizeof(tg_headers) / sizeof(tg_headers[0]); ++i) {
        MHD_add_response_header(response, tg_headers[i][0], tg_headers[i][1]);
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
}

/// Takes the response; a response of NULL, for want of memory, ends the connection.
static enum MHD_Result tgAnswer(struct MHD_Connection* connection, unsigned code, const char* type,
                                struct MHD_Response* response)
{
    if (response == NULL) {
        return MHD_NO;
    }
    tgAddHeaders(response, type);
    enum MHD_Result result = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result tgAnswerText(struct MHD_Connection* connection, unsigned code,
                                    const char* text)
{
    return tgAnswer(
        connection, code, "text/plain; charset=utf-8",
        MHD_create_response_from_buffer(strlen(text), (void*)text, MHD_RESPMEM_MUST_COPY));
}

/// One of the two files that were named, as it is now.
static enum MHD_Result tgAnswerFile(struct MHD_Connection* connection, const char* path,
                                    const char* type)
{
    struct stat info;
    int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (file < 0 || fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        if (file >= 0) {
            close(file);
        }
        return tgAnswerText(connection, MHD_HTTP_NOT_FOUND, "not there\n");
    }
    struct MHD_Response* response = MHD_create_response_from_fd64((uint64_t)info.st_size, file);
    if (response == NULL) {
        close(file);
    }
    return tgAnswer(connection, MHD_HTTP_OK, type, response);
}

/// Two lines: the character's name and the settings', each empty where there is none.
static enum MHD_Result tgAnswerSession(const tgStudioServer* server,
                                       struct MHD_Connection* connection)
{
    char names[2 * NAME_MAX + 4];
    int used = snprintf(names, sizeof(names), "%s\t%s", tgGetFileName(server->def.character),
                        tgGetFileName(server->def.settings));
    for (int i = 0; i < used && i < (int)sizeof(names) - 1; ++i) {
        bool isControl = (unsigned char)names[i] < 0x20;
        names[i] = names[i] == '\t' ? '\n' : (char)(isControl ? '?' : names[i]);
    }
    return tgAnswerText(connection, MHD_HTTP_OK, names);
}

// ---- questions ----

typedef struct tgHeaderCheck {
    const char* name;
    const char* allowed[2];
    int count;
    bool isWrong;
} tgHeaderCheck;

static enum MHD_Result tgCheckHeader(void* context, enum MHD_ValueKind kind, const char* key,
                                     const char* value)
{
    (void)kind;
    tgHeaderCheck* check = context;
    if (strcasecmp(key, check->name) == 0) {
        check->count += 1;
        check->isWrong |= value == NULL || (strcasecmp(value, check->allowed[0]) != 0 &&
                                            strcasecmp(value, check->allowed[1]) != 0);
    }
    return MHD_YES;
}

/// All headers of the name are ours, and there are as many as may be.
static bool tgIsOurs(struct MHD_Connection* connection, tgHeaderCheck check, int least)
{
    MHD_get_connection_values(connection, MHD_HEADER_KIND, tgCheckHeader, &check);
    return !check.isWrong && check.count >= least && check.count <= 1;
}

/// What follows "/TOKEN/"; NULL when the path does not begin so. Takes as long for a token that is
/// nearly right.
static const char* tgGetName(const tgStudioServer* server, const char* path)
{
    size_t length = strlen(server->token);
    unsigned char differs = 0;
    if (strlen(path) < length + 2 || path[0] != '/' || path[length + 1] != '/') {
        return NULL;
    }
    for (size_t i = 0; i < length; ++i) {
        differs |= (unsigned char)(path[i + 1] ^ server->token[i]);
    }
    return differs == 0 ? path + length + 2 : NULL;
}

/// 0 when the request may go on, else the code of what is wrong with it.
static unsigned tgJudge(const tgStudioServer* server, struct MHD_Connection* connection,
                        const char* path, bool isPut)
{
    tgHeaderCheck host = {MHD_HTTP_HEADER_HOST, {server->hosts[0], server->hosts[1]}, 0, false};
    tgHeaderCheck origin = {
        MHD_HTTP_HEADER_ORIGIN, {server->origins[0], server->origins[1]}, 0, false};
    if (!tgIsOurs(connection, host, 1) || !tgIsOurs(connection, origin, isPut ? 1 : 0)) {
        return MHD_HTTP_FORBIDDEN;
    }
    return tgGetName(server, path) != NULL ? 0 : MHD_HTTP_NOT_FOUND;
}

/// Names of ours have no escapes, so those of others stay as they are and fit none.
static size_t tgKeepEscapes(void* context, struct MHD_Connection* connection, char* text)
{
    (void)context, (void)connection;
    return strlen(text);
}

// ---- saving ----

/// 0 when it may come, else the code of what is wrong. Without a length there is no knowing.
static unsigned tgJudgeUpload(const tgStudioServer* server, struct MHD_Connection* connection,
                              const char* name, size_t* size)
{
    const char* told =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (strcmp(name, "settings") != 0 || server->def.settings == NULL) {
        return MHD_HTTP_NOT_FOUND;
    }
    if (told == NULL || strspn(told, "0123456789") != strlen(told) || told[0] == '\0') {
        return MHD_HTTP_LENGTH_REQUIRED;
    }
    unsigned long long length = strtoull(told, NULL, 10);
    *size = (size_t)length;
    return length > tg_largestSettings ? MHD_HTTP_CONTENT_TOO_LARGE : 0;
}

/// Settings that the command line would not read do not replace those that it does.
static tgResult tgSaveSettings(const tgStudioServer* server, const tgUpload* upload, tgError* error)
{
    tgOutputFile file = {0};
    tgSettings* settings = NULL;
    tgResult result = tgOutputFile_Open(&file, server->def.settings, error);
    result = result == tg_success ? tgOutputFile_Write(&file, upload->bytes, upload->size, error)
                                  : result;
    result = result == tg_success ? tgOutputFile_Finish(&file, error) : result;
    if (result == tg_success) {
        settings = tgLoadSettings(file.temporaryPath, server->def.scene, error);
        result = settings != NULL ? tgOutputFile_Commit(&file, error) : error->code;
    }
    tgDestroySettings(settings);
    tgOutputFile_Discard(&file);
    return result;
}

static enum MHD_Result tgEndUpload(const tgStudioServer* server, struct MHD_Connection* connection,
                                   const tgUpload* upload)
{
    tgError error = {0};
    char line[sizeof(error.message) + 2];
    tgResult result = tgSaveSettings(server, upload, &error);
    snprintf(line, sizeof(line), "%s\n", result == tg_success ? "saved" : error.message);
    unsigned code = result == tg_success   ? MHD_HTTP_OK
                    : result == tg_ioError ? MHD_HTTP_INTERNAL_SERVER_ERROR
                                           : MHD_HTTP_UNPROCESSABLE_CONTENT;
    return tgAnswerText(connection, code, line);
}

// ---- a request ----

static enum MHD_Result tgAnswerRead(const tgStudioServer* server, struct MHD_Connection* connection,
                                    const char* name)
{
    if (strcmp(name, "session") == 0) {
        return tgAnswerSession(server, connection);
    }
    if (strcmp(name, "character") == 0) {
        return tgAnswerFile(connection, server->def.character, "application/octet-stream");
    }
    if (strcmp(name, "settings") == 0) {
        return tgAnswerFile(connection, server->def.settings, "application/json");
    }
    const tgPageFile* file = tgStudioPage_Find(server->def.page, name);
    if (file == NULL) {
        return tgAnswerText(connection, MHD_HTTP_NOT_FOUND, "not there\n");
    }
    return tgAnswer(
        connection, MHD_HTTP_OK, file->type,
        MHD_create_response_from_buffer(file->size, file->bytes, MHD_RESPMEM_PERSISTENT));
}

/// The first call for a request, when its headers are there.
static enum MHD_Result tgBeginRequest(const tgStudioServer* server,
                                      struct MHD_Connection* connection, const char* path,
                                      const char* method, void** state)
{
    bool isPut = strcmp(method, MHD_HTTP_METHOD_PUT) == 0;
    bool isRead =
        strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    unsigned code = tgJudge(server, connection, path, isPut);
    size_t size = 0;
    if (code == 0 && !isPut && !isRead) {
        code = MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    if (code == 0 && isPut) {
        code = tgJudgeUpload(server, connection, tgGetName(server, path), &size);
    }
    if (code != 0) {
        return tgAnswerText(connection, code, "refused\n");
    }
    tgUpload* upload = calloc(1, sizeof(tgUpload));
    if (upload == NULL) {
        return MHD_NO;
    }
    *state = upload;
    upload->capacity = size;
    upload->bytes = malloc(size + 1);
    return upload->bytes != NULL ? MHD_YES : MHD_NO;
}

static enum MHD_Result tgOnRequest(void* context, struct MHD_Connection* connection,
                                   const char* path, const char* method, const char* version,
                                   const char* data, size_t* dataSize, void** state)
{
    (void)version;
    const tgStudioServer* server = context;
    tgUpload* upload = *state;
    if (upload == NULL) {
        return tgBeginRequest(server, connection, path, method, state);
    }
    if (*dataSize > 0) {
        if (*dataSize > upload->capacity - upload->size) {
            return MHD_NO; // more than was told, or a body that nobody asked for
        }
        memcpy(upload->bytes + upload->size, data, *dataSize);
        upload->size += *dataSize;
        *dataSize = 0;
        return MHD_YES;
    }
    return strcmp(method, MHD_HTTP_METHOD_PUT) == 0
               ? tgEndUpload(server, connection, upload)
               : tgAnswerRead(server, connection, tgGetName(server, path));
}

static void tgOnEnd(void* context, struct MHD_Connection* connection, void** state,
                    enum MHD_RequestTerminationCode why)
{
    (void)context, (void)connection, (void)why;
    tgUpload* upload = *state;
    if (upload != NULL) {
        free(upload->bytes);
        free(upload);
        *state = NULL;
    }
}

// ---- its life ----

/// So many connections as there may be files, once their limit is as high as it may be.
static unsigned tgCountConnections(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return tg_leastConnections;
    }
    rlim_t wanted = tg_mostConnections + tg_otherFiles;
    if (limit.rlim_cur < wanted) {
        rlim_t old = limit.rlim_cur;
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        limit.rlim_cur = setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : old;
    }
    rlim_t room = limit.rlim_cur > tg_otherFiles ? limit.rlim_cur - tg_otherFiles : 0;
    return room >= tg_mostConnections   ? tg_mostConnections
           : room < tg_leastConnections ? tg_leastConnections
                                        : (unsigned)room;
}

static bool tgMakeToken(char* token)
{
    uint8_t bytes[tg_tokenBytes];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
        return false;
    }
    for (int i = 0; i < tg_tokenBytes; ++i) {
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

/// A socket that only this machine reaches, and the port it came to; -1 on failure.
static int tgListen(uint16_t wanted, uint16_t* port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(wanted)};
    socklen_t size = sizeof(place);
    int yes = 1, file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (file < 0) {
        return -1;
    }
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)); // the same port again at once
    if (bind(file, (struct sockaddr*)&place, size) != 0 || listen(file, SOMAXCONN) != 0 ||
        getsockname(file, (struct sockaddr*)&place, &size) != 0) {
        int failure = errno;
        close(file);
        errno = failure;
        return -1;
    }
    *port = ntohs(place.sin_port);
    return file;
}

static void tgMakeNames(tgStudioServer* server, uint16_t port)
{
    static const char* const tg_names[2] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; ++i) {
        snprintf(server->hosts[i], sizeof(server->hosts[i]), "%s:%u", tg_names[i], (unsigned)port);
        snprintf(server->origins[i], sizeof(server->origins[i]), "http://%s", server->hosts[i]);
    }
    snprintf(server->address, sizeof(server->address), "http://%s/%s/", server->hosts[0],
             server->token);
}

/// Takes the socket.
static int tgStudioServer_Start(tgStudioServer* server, int file)
{
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, tgOnRequest, server, MHD_OPTION_LISTEN_SOCKET,
        file, MHD_OPTION_NOTIFY_COMPLETED, tgOnEnd, NULL, MHD_OPTION_UNESCAPE_CALLBACK,
        tgKeepEscapes, NULL, MHD_OPTION_CONNECTION_LIMIT, tgCountConnections(),
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)tg_idleSeconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)tg_connectionSize, MHD_OPTION_END);
    if (server->daemon == NULL) {
        close(file);
        return tgSayFailure("studio", "the server does not start: %s", strerror(errno));
    }
    return tg_statusDone;
}

static int tgStudioServer_Open(tgStudioServer* server)
{
    uint16_t port = 0;
    if (!tgMakeToken(server->token)) {
        return tgSayFailure("studio", "the system gives no random bytes: %s", strerror(errno));
    }
    int file = tgListen(server->def.port, &port);
    if (file < 0) {
        return tgSayFailure("studio",
                            "cannot listen on port %u of 127.0.0.1: %s; give another "
                            "--port, or none",
                            (unsigned)server->def.port, strerror(errno));
    }
    tgMakeNames(server, port);
    return tgStudioServer_Start(server, file);
}

tgStudioServer* tgStartStudioServer(const tgStudioServerDef* def)
{
    tgStudioServer* server = calloc(1, sizeof(tgStudioServer));
    if (server == NULL) {
        tgSayFailure("studio", "out of memory");
        return NULL;
    }
    server->def = *def;
    if (tgStudioServer_Open(server) != tg_statusDone) {
        tgStopStudioServer(server);
        return NULL;
    }
    return server;
}

void tgStopStudioServer(tgStudioServer* server)
{
    if (server != NULL) {
        if (server->daemon != NULL) {
            MHD_stop_daemon(server->daemon);
        }
        free(server);
    }
}

const char* tgStudioServer_GetAddress(const tgStudioServer* server)
{
    return server->address;
}
