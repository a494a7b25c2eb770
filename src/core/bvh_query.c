// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Rays and closest points. In double: a tree that is built over float positions then loses nothing
// to rounding that a search through all triangles would find.

#include "core/bvh_private.h"

/// Boxes are entered when they are missed by no more than this part of the way: rounding.
static const double tg_boxSlack = 1e-12;

typedef struct tgPoint {
    double x, y, z;
} tgPoint;

static tgPoint tgSeenFrom(tgVec3 p, tgVec3 origin)
{
    return (tgPoint){(double)p.x - (double)origin.x, (double)p.y - (double)origin.y,
                     (double)p.z - (double)origin.z};
}

static tgPoint tgMinus(tgPoint a, tgPoint b)
{
    return (tgPoint){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double tgDotPoints(tgPoint a, tgPoint b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static tgPoint tgCrossPoints(tgPoint a, tgPoint b)
{
    return (tgPoint){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// ---- rays ---------------------------------------------------------------------------------------

/// A ray made ready: the axis it runs along most, and how it moves across the other two.
typedef struct tgRaySlopes {
    double origin[3], inverse[3];
    int along, first, second;
    double firstSlope, secondSlope;
} tgRaySlopes;

static tgRaySlopes tgMakeSlopes(const tgRay* ray)
{
    double d[3] = {(double)ray->direction.x, (double)ray->direction.y, (double)ray->direction.z};
    int along = fabs(d[0]) > fabs(d[1]) ? 0 : 1;
    along = fabs(d[2]) > fabs(d[along]) ? 2 : along;
    int first = (along + 1) % 3, second = (along + 2) % 3;
    return (tgRaySlopes){
        .origin = {(double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z},
        .inverse = {1.0 / d[0], 1.0 / d[1], 1.0 / d[2]},
        .along = along,
        .first = first,
        .second = second,
        .firstSlope = d[first] / d[along],
        .secondSlope = d[second] / d[along],
    };
}

/// Corners are first seen along the ray, where it is the point (0, 0); then the side of each edge
/// that the point is on. All faces see a corner in the same place, and both faces of an edge
/// compute the same number for it but for the sign, so that no ray slips between them (Woop 2013).
static bool tgHitTriangle(const tgVec3 corners[3], const tgRaySlopes* slopes, const tgRay* ray,
                          tgRayHit* hit)
{
    double x[3], y[3], depth[3];
    for (int k = 0; k < 3; ++k) {
        const double p[3] = {(double)corners[k].x - slopes->origin[0],
                             (double)corners[k].y - slopes->origin[1],
                             (double)corners[k].z - slopes->origin[2]};
        depth[k] = p[slopes->along];
        x[k] = p[slopes->first] - slopes->firstSlope * depth[k];
        y[k] = p[slopes->second] - slopes->secondSlope * depth[k];
    }
    double side[3], sum = 0.0, t = 0.0;
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        side[k] = x[next] * y[last] - y[next] * x[last];
        sum += side[k];
    }
    bool within = (side[0] >= 0.0 && side[1] >= 0.0 && side[2] >= 0.0) ||
                  (side[0] <= 0.0 && side[1] <= 0.0 && side[2] <= 0.0);
    if (!within || sum == 0.0) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        hit->weights[k] = side[k] / sum;
        t += hit->weights[k] * depth[k];
    }
    hit->t = t * slopes->inverse[slopes->along];
    hit->entering = (sum < 0.0) == (slopes->inverse[slopes->along] > 0.0);
    return hit->t >= ray->from && hit->t <= ray->to;
}

static bool tgHitBox(const tgBvhNode* node, const tgRaySlopes* ray, double from, double to)
{
    for (int a = 0; a < 3; ++a) {
        if (isinf(ray->inverse[a])) { // across this axis, where no t tells inside from outside
            if (ray->origin[a] < (double)node->low[a] || ray->origin[a] > (double)node->high[a]) {
                return false;
            }
            continue;
        }
        double t0 = ((double)node->low[a] - ray->origin[a]) * ray->inverse[a];
        double t1 = ((double)node->high[a] - ray->origin[a]) * ray->inverse[a];
        double near = t0 < t1 ? t0 : t1, far = t0 < t1 ? t1 : t0;
        near -= tg_boxSlack * fabs(near);
        far += tg_boxSlack * fabs(far);
        from = near > from ? near : from;
        to = far < to ? far : to;
    }
    return from <= to;
}

/// Whether the middle of a box comes after that of another, along the axis the ray runs most.
static bool tgLiesBehind(const tgBvhNode* a, const tgBvhNode* b, const tgRaySlopes* ray)
{
    int axis = ray->along;
    float after = (a->low[axis] + a->high[axis]) - (b->low[axis] + b->high[axis]);
    return ray->inverse[axis] > 0.0 ? after > 0.0f : after < 0.0f;
}

static bool tgIsBefore(const tgRayHit* a, const tgRayHit* b)
{
    return a->t < b->t || (a->t == b->t && a->triangle < b->triangle);
}

/// Puts a hit in its place; the last of a full list falls off.
static void tgInsertHit(tgRayHit* hits, int room, int count, const tgRayHit* hit)
{
    int at = count < room ? count : room;
    for (; at > 0 && tgIsBefore(hit, &hits[at - 1]); --at) {
        if (at < room) {
            hits[at] = hits[at - 1];
        }
    }
    if (at < room) {
        hits[at] = *hit;
    }
}

/// @param nearest only those count that are not beyond the best so far, hits[0]
static int tgSearchHits(const tgBvh* bvh, const tgSurface* surface, const tgRay* ray,
                        tgRayHit* hits, int room, bool nearest)
{
    tgRay left = *ray;
    tgRaySlopes slopes = tgMakeSlopes(ray);
    int waiting[tg_bvhDepth], waitingCount = 0, count = 0;
    if (bvh->nodeCount > 0) {
        waiting[waitingCount++] = 0;
    }
    while (waitingCount > 0) {
        int n = waiting[--waitingCount];
        const tgBvhNode* node = &bvh->nodes[n];
        if (!tgHitBox(node, &slopes, left.from, left.to)) {
            continue;
        }
        if (node->count == 0) { // the one that the ray comes to first is looked at first
            bool swap = tgLiesBehind(&bvh->nodes[n + 1], &bvh->nodes[node->first], &slopes);
            waiting[waitingCount++] = swap ? n + 1 : node->first;
            waiting[waitingCount++] = swap ? node->first : n + 1;
        }
        for (int i = 0; i < node->count; ++i) {
            tgRayHit hit = {.triangle = bvh->order[node->first + i]};
            tgVec3 corners[3];
            tgGetTriangle(surface, hit.triangle, corners);
            if (tgHitTriangle(corners, &slopes, &left, &hit)) {
                tgInsertHit(hits, room, count, &hit);
                count += 1;
                left.to = nearest ? hits[0].t : left.to;
            }
        }
    }
    return count;
}

bool tgBvh_FindNearestHit(const tgBvh* bvh, const tgSurface* surface, const tgRay* ray,
                          tgRayHit* hit)
{
    tgRayHit found;
    if (tgSearchHits(bvh, surface, ray, &found, 1, true) == 0) {
        return false;
    }
    *hit = found;
    return true;
}

int tgBvh_FindAllHits(const tgBvh* bvh, const tgSurface* surface, const tgRay* ray, tgRayHit* hits,
                      int room)
{
    return tgSearchHits(bvh, surface, ray, hits, room, false);
}

// ---- closest points -----------------------------------------------------------------------------

/// How far along a to b the point nearest the origin lies, 0 to 1.
static double tgPlaceOnEdge(tgPoint a, tgPoint b)
{
    tgPoint edge = tgMinus(b, a);
    double along = -tgDotPoints(a, edge), length = tgDotPoints(edge, edge);
    return along <= 0.0 || !(length > 0.0) ? 0.0 : along >= length ? 1.0 : along / length;
}

static tgPoint tgBlendCorners(const tgPoint p[3], const double w[3])
{
    return (tgPoint){w[0] * p[0].x + w[1] * p[1].x + w[2] * p[2].x,
                     w[0] * p[0].y + w[1] * p[1].y + w[2] * p[2].y,
                     w[0] * p[0].z + w[1] * p[1].z + w[2] * p[2].z};
}

/// The point of a triangle nearest the origin: the foot on its plane where that lies inside, else
/// the nearest on its edges.
/// @return its squared distance
static double tgFindOnTriangle(const tgPoint p[3], double weights[3])
{
    tgPoint normal = tgCrossPoints(tgMinus(p[1], p[0]), tgMinus(p[2], p[0]));
    double size = tgDotPoints(normal, normal), inside[3];
    for (int k = 0; k < 3; ++k) {
        inside[k] = tgDotPoints(normal, tgCrossPoints(p[(k + 1) % 3], p[(k + 2) % 3])) / size;
    }
    if (inside[0] >= 0.0 && inside[1] >= 0.0 && inside[2] >= 0.0) { // not where size is 0
        double sum = inside[0] + inside[1] + inside[2];             // 1, but for rounding
        for (int k = 0; k < 3; ++k) {
            weights[k] = inside[k] / sum;
        }
        tgPoint foot = tgBlendCorners(p, weights);
        return tgDotPoints(foot, foot);
    }
    double best = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        double t = tgPlaceOnEdge(p[k], p[next]), w[3] = {0.0, 0.0, 0.0};
        w[k] = 1.0 - t;
        w[next] = t;
        tgPoint q = tgBlendCorners(p, w);
        double distanceSquared = tgDotPoints(q, q);
        if (distanceSquared < best) {
            best = distanceSquared;
            weights[0] = w[0];
            weights[1] = w[1];
            weights[2] = w[2];
        }
    }
    return best;
}

static double tgGetBoxDistance(const tgBvhNode* node, const double p[3])
{
    double sum = 0.0;
    for (int a = 0; a < 3; ++a) {
        double below = (double)node->low[a] - p[a], above = p[a] - (double)node->high[a];
        double out = below > 0.0 ? below : above > 0.0 ? above : 0.0;
        sum += out * out;
    }
    return sum;
}

bool tgBvh_FindClosest(const tgBvh* bvh, const tgSurface* surface, tgVec3 p, double within,
                       tgClosestPoint* closest)
{
    const double from[3] = {(double)p.x, (double)p.y, (double)p.z};
    struct {
        int node;
        double distance; ///< squared, of its box
    } waiting[tg_bvhDepth];
    int waitingCount = 0;
    double best = within * within;
    tgClosestPoint found = {.triangle = -1};
    if (bvh->nodeCount > 0) {
        waiting[waitingCount].node = 0;
        waiting[waitingCount++].distance = tgGetBoxDistance(&bvh->nodes[0], from);
    }
    while (waitingCount > 0) {
        int n = waiting[--waitingCount].node;
        if (waiting[waitingCount].distance > best * (1.0 + tg_boxSlack)) {
            continue;
        }
        const tgBvhNode* node = &bvh->nodes[n];
        if (node->count == 0) { // the nearer child is looked at first
            int children[2] = {n + 1, node->first};
            double distances[2] = {tgGetBoxDistance(&bvh->nodes[children[0]], from),
                                   tgGetBoxDistance(&bvh->nodes[children[1]], from)};
            int far = distances[0] > distances[1] ? 0 : 1;
            for (int k = 0; k < 2; ++k, far = 1 - far) {
                waiting[waitingCount].node = children[far];
                waiting[waitingCount++].distance = distances[far];
            }
        }
        for (int i = 0; i < node->count; ++i) {
            int triangle = bvh->order[node->first + i];
            tgVec3 corners[3];
            tgGetTriangle(surface, triangle, corners);
            tgPoint seen[3];
            for (int k = 0; k < 3; ++k) {
                seen[k] = tgSeenFrom(corners[k], p);
            }
            double weights[3] = {1.0, 0.0, 0.0}, distance = tgFindOnTriangle(seen, weights);
            if (distance < best || (distance == best && triangle < found.triangle)) {
                best = distance;
                tgPoint q = tgBlendCorners(seen, weights);
                found = (tgClosestPoint){.triangle = triangle,
                                         .point = tgMakeVec3((float)(from[0] + q.x),
                                                             (float)(from[1] + q.y),
                                                             (float)(from[2] + q.z)),
                                         .distanceSquared = distance,
                                         .weights = {weights[0], weights[1], weights[2]}};
            }
        }
    }
    if (found.triangle < 0) {
        return false;
    }
    *closest = found;
    return true;
}
