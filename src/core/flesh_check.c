// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The defaults of a flesh element, and the checks of its numbers.

#include "core/core.h"
#include "core/flesh.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const int tg_fleshCookie = 0x7419;
/// Frequencies beyond this have periods that no float time tells apart.
static const float tg_highestFrequency = 1e5f;

tgFleshElement tgDefaultFleshElement(void)
{
    tgFleshElement element = {
        .attenuation = tg_attenuationWyvill,
        .flow = 0.5f,
        .springCount = 1,
        .density = 1000.0f,
        .elongation = 1.0f,
        .resetDistance = 1.0f,
        .twistDampingRatio = 0.2f,
        .twistLimit = 0.785398163f,
        .cookie = tg_fleshCookie,
    };
    for (int i = 0; i < tg_mostFleshSprings; ++i) {
        element.springs[i] = (tgFleshSpring){
            .share = i == 0 ? 1.0f : 0.0f, .frequency = 3.0f, .dampingRatio = 0.2f, .damping = -1};
    }
    return element;
}

tgResult tgFailElement(const tgRigDef* def, int index, tgError* error, const char* format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    const char* name = def->flesh.elements[index].name;
    return name != NULL
               ? tgFail(error, tg_invalidArgument, index, "flesh element \"%.40s\": %s", name, text)
               : tgFail(error, tg_invalidArgument, index, "flesh element %d: %s", index, text);
}

/// A number with its range, for messages.
typedef struct tgRanged {
    const char* name;
    float value, least, most;
    bool above; ///< `least` itself is not wanted
} tgRanged;

static tgResult tgCheckRange(const tgRigDef* def, int index, const tgRanged* number, tgError* error)
{
    bool low = number->above ? !(number->value > number->least) : !(number->value >= number->least);
    if (!low && number->value <= number->most) {
        return tg_success;
    }
    char wanted[64];
    const char* more = number->above ? "more than" : "at least";
    if (number->most < 1e30f) {
        snprintf(wanted, sizeof(wanted), "%s %g and at most %g", more, (double)number->least,
                 (double)number->most);
    } else {
        snprintf(wanted, sizeof(wanted), "%s %g", more, (double)number->least);
    }
    return tgFailElement(def, index, error, "%s is %g, wanted %s", number->name,
                         (double)number->value, wanted);
}

static tgResult tgCheckSprings(const tgRigDef* def, int index, tgError* error)
{
    const tgFleshElement* element = &def->flesh.elements[index];
    if (element->springCount < 1 || element->springCount > tg_mostFleshSprings) {
        return tgFailElement(def, index, error, "there are %d springs, wanted 1 to %d",
                             element->springCount, tg_mostFleshSprings);
    }
    float sum = 0.0f;
    tgResult result = tg_success;
    for (int i = 0; i < element->springCount && result == tg_success; ++i) {
        const tgFleshSpring* spring = &element->springs[i];
        const tgRanged numbers[] = {
            {"share", spring->share, 0.0f, 1.0f, false},
            {"frequency", spring->frequency, 0.0f, tg_highestFrequency, true},
            {"dampingRatio", spring->dampingRatio, 0.0f, 1e6f, false},
            {"stiffness", spring->stiffness, 0.0f, 1e30f, false},
        };
        // A stiffness takes the place of the frequency, a damping that of the ratio.
        for (int k = 0; k < 4 && result == tg_success; ++k) {
            bool replaced =
                (k == 1 && spring->stiffness > 0.0f) || (k == 2 && spring->damping >= 0.0f);
            result = replaced ? tg_success : tgCheckRange(def, index, &numbers[k], error);
        }
        if (result == tg_success && !(fabsf(spring->damping) <= 1e30f)) {
            result = tgFailElement(def, index, error, "damping is %g, wanted a number",
                                   (double)spring->damping);
        }
        sum += spring->share;
    }
    if (result == tg_success && !(fabsf(sum - 1.0f) < 1e-3f)) {
        result = tgFailElement(def, index, error, "the springs' shares sum to %g, wanted 1",
                               (double)sum);
    }
    return result;
}

static tgResult tgCheckAttenuation(const tgRigDef* def, int index, tgError* error)
{
    const tgFleshElement* element = &def->flesh.elements[index];
    if (element->attenuation != tg_attenuationCurve) {
        return tg_success;
    }
    int count = element->keyCount;
    if (count < 2 || count > tg_mostAttenuationKeys) {
        return tgFailElement(def, index, error, "the attenuation has %d keys, wanted 2 to %d",
                             count, tg_mostAttenuationKeys);
    }
    for (int i = 0; i < count; ++i) {
        tgAttenuationKey key = element->keys[i];
        bool rising = i == 0 || key.coordinate > element->keys[i - 1].coordinate;
        if (!rising || !(fabsf(key.coordinate) <= 1.0f) || !(fabsf(key.value) <= 1e6f) ||
            !(fabsf(key.tangent) <= 1e6f)) {
            return tgFailElement(def, index, error,
                                 "key %d is (%g, %g, %g), wanted coordinates from -1 to 1, rising",
                                 i, (double)key.coordinate, (double)key.value, (double)key.tangent);
        }
    }
    // Level outside the keys, so the ends of the bone have the values of the outermost.
    if (element->keys[0].value > 0.0f || element->keys[count - 1].value > 0.0f) {
        return tgFailElement(
            def, index, error, "the attenuation ends with %g and %g, wanted 0 at both ends",
            (double)element->keys[0].value, (double)element->keys[count - 1].value);
    }
    return tg_success;
}

static tgResult tgCheckJoints(const tgRigDef* def, int index, tgError* error)
{
    const tgFleshElement* element = &def->flesh.elements[index];
    if (element->driver < 0 || element->driver >= def->jointCount) {
        return tgFailElement(def, index, error, "driver is joint %d, the skeleton has %d",
                             element->driver, def->jointCount);
    }
    for (int i = 0; element->driven != NULL && i < element->drivenCount; ++i) {
        if (element->driven[i] < 0 || element->driven[i] >= def->jointCount) {
            return tgFailElement(def, index, error, "it drives joint %d, the skeleton has %d",
                                 element->driven[i], def->jointCount);
        }
    }
    for (int i = 0; element->joints != NULL && i < element->jointCount; ++i) {
        if (element->joints[i] < 0 || element->joints[i] >= def->jointCount) {
            return tgFailElement(def, index, error, "it has joint %d, the skeleton has %d",
                                 element->joints[i], def->jointCount);
        }
    }
    if (element->vertices != NULL && element->vertexCount < 1) {
        return tgFailElement(def, index, error, "its set of vertices is empty");
    }
    for (int i = 0; element->vertices != NULL && i < element->vertexCount; ++i) {
        if (element->vertices[i] < 0 || element->vertices[i] >= def->restPositions.count) {
            return tgFailElement(def, index, error, "it has vertex %d, the mesh has %d",
                                 element->vertices[i], def->restPositions.count);
        }
    }
    return tg_success;
}

static tgResult tgCheckVector(const tgRigDef* def, int index, const char* name, tgVec3 v,
                              tgError* error)
{
    bool fine = fabsf(v.x) <= 1e9f && fabsf(v.y) <= 1e9f && fabsf(v.z) <= 1e9f;
    return fine ? tg_success
                : tgFailElement(def, index, error, "%s is (%g, %g, %g), wanted numbers below 1e9",
                                name, (double)v.x, (double)v.y, (double)v.z);
}

static tgResult tgCheckElement(const tgRigDef* def, int index, tgError* error)
{
    const tgFleshElement* element = &def->flesh.elements[index];
    if (element->cookie != tg_fleshCookie) {
        return tgFail(error, tg_invalidArgument, index,
                      "flesh element %d is not from tgDefaultFleshElement", index);
    }
    if (element->attenuation < tg_attenuationParabola ||
        element->attenuation > tg_attenuationCurve) {
        return tgFailElement(def, index, error, "%d is not one of tgAttenuation",
                             (int)element->attenuation);
    }
    const tgRanged numbers[] = {
        {"mass", element->mass, 0.0f, 1e30f, false},
        {"density", element->density, 0.0f, 1e30f, true},
        {"thickness", element->thickness, 0.0f, 1e6f, false},
        {"flow", element->flow, 0.0f, 1.0f, false},
        {"airFriction", element->airFriction, 0.0f, 1e30f, false},
        {"elongation", element->elongation, 0.0f, 1.0f, true},
        {"resetDistance", element->resetDistance, 0.0f, 1e30f, false},
        {"twistFrequency", element->twistFrequency, 0.0f, tg_highestFrequency, false},
        {"twistDampingRatio", element->twistDampingRatio, 0.0f, 1e6f, false},
        {"twistLimit", element->twistLimit, 0.0f, 1.5708f, true},
    };
    tgResult result = tg_success;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]) && result == tg_success; ++i) {
        result = tgCheckRange(def, index, &numbers[i], error);
    }
    result = result == tg_success ? tgCheckVector(def, index, "gravity", element->gravity, error)
                                  : result;
    result =
        result == tg_success ? tgCheckVector(def, index, "wind", element->wind, error) : result;
    result = result == tg_success ? tgCheckSprings(def, index, error) : result;
    result = result == tg_success ? tgCheckAttenuation(def, index, error) : result;
    return result == tg_success ? tgCheckJoints(def, index, error) : result;
}

tgResult tgCheckFleshDef(const tgRigDef* def, tgError* error)
{
    if (def->flesh.elementCount < 0 ||
        (def->flesh.elementCount > 0 && def->flesh.elements == NULL)) {
        return tgFail(error, tg_invalidArgument, -1, "there are %d flesh elements and no list",
                      def->flesh.elementCount);
    }
    tgResult result = tg_success;
    for (int i = 0; i < def->flesh.elementCount && result == tg_success; ++i) {
        result = tgCheckElement(def, i, error);
    }
    return result;
}
