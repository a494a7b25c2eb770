// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Profiles of the settings file. One that names its kind starts from that kind's defaults, one that
// does not starts from the file's default profile; then its keys apply.

#include "io/settings_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { tg_mostProfiles = 16 }; ///< in one list

static const double tg_shareSlop = 2e-4; ///< of a sum of shares: each is written with four digits
static const float tg_radiansPerDegree = 0.017453292519943295f;

/// Three shares, made to sum to 1.
static tgResult tgReadShares(const tgSettingsReader* reader, const tgJsonValue* value,
                             tgProfile* profile)
{
    float mu[3];
    tgResult result = tgGetFloat3(reader, value, "mu", tg_zeroOrMore, mu);
    if (result != tg_success) {
        return result;
    }
    double sum = (double)mu[0] + (double)mu[1] + (double)mu[2];
    if (sum == 0.0) {
        if (profile->kind != tg_profileIsotropic) {
            return tgFailAt(reader->error, tg_invalidArgument, value->place,
                            "\"mu\" is 0 along all axes, expected shares that sum to 1; only "
                            "isotropic may leave them to the surface");
        }
        memset(profile->mu, 0, sizeof(profile->mu));
        return tg_success;
    }
    if (fabs(sum - 1.0) > tg_shareSlop) {
        tgWarnAt(reader, value->place, "\"mu\" sums to %g, expected 1; each is divided by the sum",
                 sum);
    }
    for (int a = 0; a < 3; ++a) {
        profile->mu[a] = (float)((double)mu[a] / sum);
    }
    return tg_success;
}

static tgResult tgReadSigma(const tgSettingsReader* reader, const tgJsonValue* value,
                            float sigma[3])
{
    if (value->kind == tg_jsonList) {
        return tgGetFloat3(reader, value, "sigma", tg_moreThanZero, sigma);
    }
    if (value->kind != tg_jsonNumber) {
        return tgFailValue(reader, value, "sigma", "a number or a list of 3");
    }
    tgResult result = tgGetFloat(reader, value, "sigma", tg_moreThanZero, &sigma[0]);
    sigma[1] = sigma[2] = sigma[0];
    return result;
}

/// One number is along the bone.
static tgResult tgReadCenter(const tgSettingsReader* reader, const tgJsonValue* value,
                             float center[3])
{
    if (value->kind == tg_jsonList) {
        return tgGetFloat3(reader, value, "center", tg_anyNumber, center);
    }
    if (value->kind != tg_jsonNumber) {
        return tgFailValue(reader, value, "center", "a number or a list of 3");
    }
    center[0] = tgJson_GetFloat(value);
    return tg_success;
}

/// [[x, v], ...] along one axis.
static tgResult tgReadCurve(const tgSettingsReader* reader, const tgJsonValue* value,
                            tgCurvePoint* points, int* count)
{
    if (value->kind != tg_jsonList) {
        return tgFailValue(reader, value, "curves", "3 lists of points, one along each axis");
    }
    *count = 0;
    for (int at = 0; at < value->count; ++at) {
        const tgJsonValue* pair = value->items[at];
        if (*count == tg_mostCurvePoints) {
            return tgFailAt(reader->error, tg_invalidArgument, pair->place,
                            "\"curves\" has %d points along one axis, expected at most %d",
                            value->count, tg_mostCurvePoints);
        }
        if (pair->kind != tg_jsonList || pair->count != 2) {
            return tgFailValue(reader, pair, "curves", "points of 2 numbers, [coordinate, value]");
        }
        tgCurvePoint* point = &points[*count];
        tgResult result =
            tgGetFloat(reader, pair->items[0], "curves", tg_anyNumber, &point->coordinate);
        if (result == tg_success) {
            result = tgGetFloat(reader, pair->items[1], "curves", tg_zeroOrMore, &point->value);
        }
        if (result != tg_success) {
            return result;
        }
        if (*count > 0 && !(point->coordinate > point[-1].coordinate)) {
            return tgFailAt(reader->error, tg_invalidArgument, pair->items[0]->place,
                            "a curve's point at %g follows one at %g, expected increasing "
                            "coordinates",
                            (double)point->coordinate, (double)point[-1].coordinate);
        }
        *count += 1;
    }
    return tg_success;
}

static tgResult tgReadCurves(const tgSettingsReader* reader, const tgJsonValue* value,
                             tgProfile* profile)
{
    if (value->kind != tg_jsonList || value->count != 3) {
        return tgFailValue(reader, value, "curves", "3 lists of points, one along each axis");
    }
    memset(profile->curves, 0, sizeof(profile->curves));
    int a = 0;
    for (int at = 0; at < value->count; ++at, ++a) {
        const tgJsonValue* curve = value->items[at];
        tgResult result = tgReadCurve(reader, curve, profile->curves[a], &profile->curveCounts[a]);
        if (result != tg_success) {
            return result;
        }
    }
    return tg_success;
}

static tgResult tgReadFoldAngle(const tgSettingsReader* reader, const tgJsonValue* value,
                                float* radians)
{
    if (value->kind != tg_jsonNumber || tgJson_GetFloat(value) <= 0.0f ||
        tgJson_GetFloat(value) > 180.0f) {
        return tgFailValue(reader, value, "foldAngle", "degrees, more than 0 and at most 180");
    }
    *radians = tgJson_GetFloat(value) * tg_radiansPerDegree;
    return tg_success;
}

/// A number from 0 to `most`.
static tgResult tgReadUpTo(const tgSettingsReader* reader, const tgJsonValue* value, float most,
                           const char* wanted, float* number)
{
    bool isFine = value->kind == tg_jsonNumber && tgJson_GetFloat(value) >= 0.0f &&
                  tgJson_GetFloat(value) <= most;
    *number = isFine ? tgJson_GetFloat(value) : *number;
    return isFine ? tg_success : tgFailValue(reader, value, value->key, wanted);
}

/// One key of a profile; the keys are known to be fine, "profile" is read before.
static tgResult tgReadProfileKey(const tgSettingsReader* reader, const tgJsonValue* object,
                                 const tgJsonValue* member, tgProfile* profile)
{
    const char* key = member->key;
    if (strcmp(key, "mu") == 0) {
        return tgReadShares(reader, member, profile);
    }
    if (strcmp(key, "sigma") == 0) {
        return tgReadSigma(reader, member, profile->sigma);
    }
    if (strcmp(key, "center") == 0) {
        return tgReadCenter(reader, member, profile->center);
    }
    if (strcmp(key, "folds") == 0) {
        return tgGetFloat(reader, member, key, tg_zeroOrMore, &profile->folds);
    }
    if (strcmp(key, "foldAngle") == 0) {
        return tgReadFoldAngle(reader, member, &profile->foldAngle);
    }
    if (strcmp(key, "drift") == 0) {
        return tgReadUpTo(reader, member, 1.0f, "0 to 1", &profile->drift);
    }
    if (strcmp(key, "gain") == 0) {
        return tgReadUpTo(reader, member, 4.0f, "0 to 4", &profile->gain);
    }
    if (strcmp(key, "curves") == 0) {
        return tgReadCurves(reader, member, profile);
    }
    if (strcmp(key, "mirror") == 0) {
        bool mirror = false; // the joint's entry asks for it; here it need only be one
        return tgReadBool(reader, object, key, &mirror);
    }
    if (strcmp(key, "combine") == 0) {
        int combine = profile->combine;
        tgResult result = tgReadChoice(reader, object, key, &tg_combineNames, &combine);
        profile->combine = (tgCombine)combine;
        return result;
    }
    return tg_success;
}

/// What the rig takes between these two.
static const struct {
    const char* key;
    float low, high;
    const char* wanted;
} tg_limits[] = {
    {"sigma", 1e-6f, FLT_MAX, "more than 1e-6"},
    {"center", -1e6f, 1e6f, "between -1e6 and 1e6"},
    {"folds", -1.0f, 1e6f, "less than 1e6"},
};

static tgResult tgCheckProfileKey(const tgSettingsReader* reader, const tgJsonValue* member)
{
    tgResult result = tg_success;
    for (size_t i = 0; i < sizeof(tg_limits) / sizeof(tg_limits[0]); ++i) {
        if (strcmp(member->key, tg_limits[i].key) == 0) {
            result = tgCheckBetween(reader, member, tg_limits[i].low, tg_limits[i].high,
                                    member->key, tg_limits[i].wanted);
        }
    }
    return result;
}

/// Whether a kind has such a key.
static bool tgUsesKey(tgProfileKind kind, const char* key)
{
    bool isOrganic = kind == tg_profileOrganic;
    if (strcmp(key, "mu") == 0 || strcmp(key, "center") == 0) {
        return !isOrganic;
    }
    if (strcmp(key, "sigma") == 0) {
        return !isOrganic && kind != tg_profileCurves;
    }
    if (strcmp(key, "folds") == 0) {
        return kind == tg_profileFolds || kind == tg_profileBelly;
    }
    return strcmp(key, "foldAngle") == 0 ? kind == tg_profileBelly
           : strcmp(key, "curves") == 0  ? kind == tg_profileCurves
           : strcmp(key, "drift") == 0   ? isOrganic
                                         : true;
}

/// A key that changes nothing where it stands is told, not refused: kinds are tried out in turn.
static void tgWarnUnused(const tgSettingsReader* reader, const tgJsonValue* member,
                         tgProfileKind kind, int index)
{
    const char* key = member->key;
    bool isOfFirst = strcmp(key, "mu") == 0 || strcmp(key, "drift") == 0 ||
                     strcmp(key, "gain") == 0 || strcmp(key, "mirror") == 0 ||
                     strcmp(key, "paint") == 0;
    if (isOfFirst && index > 0) {
        tgWarnAt(reader, member->keyPlace,
                 "\"%s\" of profile %d is not used, expected it in the first of the list", key,
                 index + 1);
    } else if (!tgUsesKey(kind, key)) {
        tgWarnAt(reader, member->keyPlace, "\"%s\" is not used by a profile \"%s\"", key,
                 tg_profileNames.names[kind]);
    }
}

/// @param index in its list
static tgResult tgReadProfile(const tgSettingsReader* reader, const tgJsonValue* object, int index,
                              tgProfile* profile)
{
    tgResult result = tgCheckKeys(reader, object, tg_settingsProfile);
    int kind = -1;
    if (result == tg_success) {
        result = tgReadChoice(reader, object, "profile", &tg_profileNames, &kind);
    }
    if (result != tg_success) {
        return result;
    }
    *profile = kind >= 0 ? tgDefaultProfile((tgProfileKind)kind) : reader->base;
    for (int at = 0; at < object->count; ++at) {
        const tgJsonValue* member = object->items[at];
        tgProfile changed = *profile;
        result = tgReadProfileKey(reader, object, member, &changed);
        result = result == tg_success ? tgCheckProfileKey(reader, member) : result;
        if (result != tg_success) {
            return result;
        }
        *profile = tgUsesKey(profile->kind, member->key) ? changed : *profile;
        tgWarnUnused(reader, member, profile->kind, index);
    }
    bool hasCurves = tgFindMember(object, "curves") != NULL || (kind < 0 && reader->baseHasCurves);
    if (profile->kind == tg_profileCurves && !hasCurves) {
        tgWarnAt(reader, object->place,
                 "a profile \"curves\" without \"curves\", expected 3 lists of points; it is 1 "
                 "everywhere");
    }
    return tg_success;
}

tgResult tgReadProfiles(const tgSettingsReader* reader, const tgJsonValue* value,
                        const tgProfile** profiles, int* count)
{
    bool isList = value->kind == tg_jsonList;
    if ((!isList && value->kind != tg_jsonObject) || (isList && value->count == 0)) {
        return tgFailValue(reader, value, value->key,
                           "a profile such as {\"profile\": \"rubber\"} or a list of them");
    }
    *count = isList ? value->count : 1;
    if (*count > tg_mostProfiles) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "%s has %d profiles, expected at most %d", tgMakeQuote(value->key).text,
                        *count, tg_mostProfiles);
    }
    struct tgSettingsMemory* memory = reader->settings->memory;
    tgProfile* added = tgArena_Take(&memory->arena, (size_t)*count, sizeof(tgProfile));
    if (added == NULL) {
        return tgFailMemory(reader);
    }
    for (int i = 0; i < *count; ++i) {
        const tgJsonValue* object = tgJson_GetEach(value, (size_t)i);
        if (object->kind != tg_jsonObject) {
            return tgFailValue(reader, object, value->key, "profiles {...} in its list");
        }
        tgResult result = tgReadProfile(reader, object, i, &added[i]);
        if (result != tg_success) {
            return result;
        }
    }
    *profiles = added;
    return tg_success;
}
