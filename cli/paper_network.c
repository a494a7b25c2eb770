// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2005, figure 8: the mushroom's cap filled with a grid of masses that damped springs join, those
// near the bone fixed to it, against one flesh element with one spring. Both shake with the same
// base. Masses are equal; the stiffness is set by one experiment, so that both swing at the same
// frequency.

#include "paper_network.h"

#include "paper_flesh.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_wantedSprings = 3000, ///< "about 3000 damped springs"
    tg_mostNodes = 4096,
    tg_mostSprings = 16384,
    tg_substeps =
        64, ///< of a frame; the stiffest motion of the grid is stable with a third of that
    tg_nearCount = 4, ///< masses that a vertex of the skin follows
};
static const double tg_frame = 1.0 / 60.0, tg_firstTime = 0.2, tg_lastTime = 1.4;
static const double tg_fixedRadius = 0.022; // metres: the rigid bone
static const double tg_pull = 0.5;          // m/s^2, so little that the network stays linear

typedef struct tgSpringLink {
    int a, b;
    double length;
} tgSpringLink;

typedef struct tgNetwork {
    int nodeCount, linkCount;
    double rest[tg_mostNodes][3], p[tg_mostNodes][3], v[tg_mostNodes][3], f[tg_mostNodes][3];
    bool fixed[tg_mostNodes];
    tgSpringLink links[tg_mostSprings];
    double stiffness, damping; ///< over the mass
} tgNetwork;

/// A cubic grid inside the cap, joined along edges and across the squares' diagonals.
/// @param bottom height of the lower end of the bone
static void tgFillNetwork(const tgScene* scene, double bottom, double spacing, tgNetwork* network)
{
    enum { tg_side = 24, tg_height = 16 }; // the cap is 0.3 m wide
    static int at[tg_side][tg_height][tg_side];
    network->nodeCount = network->linkCount = 0;
    for (int i = 0; i < tg_side; ++i) {
        for (int j = 0; j < tg_height; ++j) {
            for (int k = 0; k < tg_side; ++k) {
                // Half a cell and a bit off, so that no ray meets a vertex or an edge.
                double p[3] = {(i - tg_side / 2 + 0.5013) * spacing, bottom + j * spacing,
                               (k - tg_side / 2 + 0.5007) * spacing};
                bool inside = network->nodeCount < tg_mostNodes &&
                              tgIsInside(scene, scene->positions,
                                         tgMakeVec3((float)p[0], (float)p[1], (float)p[2]));
                at[i][j][k] = inside ? network->nodeCount : -1;
                if (inside) {
                    memcpy(network->rest[network->nodeCount], p, sizeof(p));
                    network->fixed[network->nodeCount++] = hypot(p[0], p[2]) < tg_fixedRadius;
                }
            }
        }
    }
    static const int tg_ways[9][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0}, {1, -1, 0},
                                      {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}};
    for (int cell = 0; cell < tg_side * tg_height * tg_side; ++cell) {
        int i = cell / (tg_height * tg_side), j = cell / tg_side % tg_height, k = cell % tg_side;
        for (int w = 0; w < 9 && at[i][j][k] >= 0; ++w) {
            int x = i + tg_ways[w][0], y = j + tg_ways[w][1], z = k + tg_ways[w][2];
            bool there = x < tg_side && y >= 0 && y < tg_height && z >= 0 && z < tg_side &&
                         at[x][y][z] >= 0 && network->linkCount < tg_mostSprings;
            if (there) {
                int count = abs(tg_ways[w][0]) + abs(tg_ways[w][1]) + abs(tg_ways[w][2]);
                network->links[network->linkCount++] =
                    (tgSpringLink){at[i][j][k], at[x][y][z], spacing * sqrt((double)count)};
            }
        }
    }
}

static void tgResetNetwork(tgNetwork* network)
{
    memcpy(network->p, network->rest, sizeof(network->p));
    memset(network->v, 0, sizeof(network->v));
}

/// One small step: forces of all springs, then speeds, then places.
/// @param shift how far the base stands to the side
static void tgStepNetwork(tgNetwork* network, double shift, double pull, double dt)
{
    memset(network->f, 0, sizeof(network->f));
    for (int s = 0; s < network->linkCount; ++s) {
        const tgSpringLink* link = &network->links[s];
        double d[3], squared = 0.0, speed = 0.0;
        for (int c = 0; c < 3; ++c) {
            d[c] = network->p[link->b][c] - network->p[link->a][c];
            squared += d[c] * d[c];
            speed += d[c] * (network->v[link->b][c] - network->v[link->a][c]);
        }
        double length = sqrt(squared);
        double force =
            network->stiffness * (length - link->length) + network->damping * speed / length;
        for (int c = 0; c < 3; ++c) {
            network->f[link->a][c] += force * d[c] / length;
            network->f[link->b][c] -= force * d[c] / length;
        }
    }
    for (int i = 0; i < network->nodeCount; ++i) {
        for (int c = 0; c < 3; ++c) {
            if (network->fixed[i]) {
                double place = network->rest[i][c] + (c == 0 ? shift : 0.0);
                network->v[i][c] = (place - network->p[i][c]) / dt;
                network->p[i][c] = place;
            } else {
                network->v[i][c] += dt * (network->f[i][c] + (c == 0 ? pull : 0.0));
                network->p[i][c] += dt * network->v[i][c];
            }
        }
    }
}

/// Stiffness so that the network swings at omega, by Rayleigh's quotient of its shape u under a
/// sideways pull, pull sum(u_x) / sum(u^2); and the damping that has the ratio zeta there.
static void tgTuneNetwork(tgNetwork* network, double omega, double zeta)
{
    double dt = tg_frame / tg_substeps;
    network->stiffness = 40.0 * omega * omega;
    network->damping = 0.0;
    tgResetNetwork(network);
    for (int step = 0; step < 4000; ++step) {
        tgStepNetwork(network, 0.0, tg_pull, dt);
        for (int i = 0; i < network->nodeCount; ++i) { // to rest, with nothing of its own to tune
            for (int c = 0; c < 3; ++c) {
                network->v[i][c] *= 0.995;
            }
        }
    }
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < network->nodeCount; ++i) {
        for (int c = 0; c < 3; ++c) {
            double moved = network->p[i][c] - network->rest[i][c];
            sum += c == 0 ? moved : 0.0;
            squares += moved * moved;
        }
    }
    network->stiffness *= omega * omega * squares / (tg_pull * sum);
    network->damping = 2.0 * zeta / omega * network->stiffness;
    tgResetNetwork(network);
}

/// The masses that each vertex follows, nearest first, by the inverse square of the distance.
typedef struct tgFollow {
    int nodes[tg_nearCount];
    double shares[tg_nearCount];
} tgFollow;

static tgFollow tgFindFollow(const tgNetwork* network, tgVec3 p)
{
    tgFollow follow = {{0}, {0.0}};
    double found[tg_nearCount], sum = 0.0;
    for (int n = 0; n < tg_nearCount; ++n) {
        found[n] = (double)INFINITY;
        for (int i = 0; i < network->nodeCount; ++i) {
            double x = network->rest[i][0] - (double)p.x, y = network->rest[i][1] - (double)p.y,
                   z = network->rest[i][2] - (double)p.z, squared = x * x + y * y + z * z;
            bool isNew = true;
            for (int m = 0; m < n; ++m) {
                isNew &= follow.nodes[m] != i;
            }
            if (isNew && squared < found[n]) {
                found[n] = squared;
                follow.nodes[n] = i;
            }
        }
        follow.shares[n] = 1.0 / (found[n] + 1e-9);
        sum += follow.shares[n];
    }
    for (int n = 0; n < tg_nearCount; ++n) {
        follow.shares[n] /= sum;
    }
    return follow;
}

/// How the two compare, over all vertices of the element and all frames.
typedef struct tgAgreement {
    double product, fleshSquares, networkSquares;
    double means[3]; ///< the same three of the mean sideways motion
} tgAgreement;

/// The skin as the network carries it, into `carried`; adds the frame to the agreement.
static void tgCompareFrame(const tgNetwork* network, const tgFollow* follows, const float* weights,
                           double shift, const tgFleshPair* pair, tgActor* carried,
                           tgAgreement* sums)
{
    double fleshMean = 0.0, networkMean = 0.0;
    for (int v = 0; v < carried->scene->vertexCount; ++v) {
        double moved[3] = {0.0, 0.0, 0.0};
        for (int n = 0; n < tg_nearCount && weights[v] > 0.0f; ++n) {
            int i = follows[v].nodes[n];
            for (int c = 0; c < 3; ++c) {
                moved[c] += follows[v].shares[n] *
                            (network->p[i][c] - network->rest[i][c] - (c == 0 ? shift : 0.0));
            }
        }
        tgVec3 other = tgMakeVec3((float)moved[0], (float)moved[1], (float)moved[2]);
        tgVec3 flesh = tgSub(pair->moved.positions[v], pair->plain.positions[v]);
        carried->positions[v] = tgAdd(pair->plain.positions[v], other);
        sums->product += (double)tgDot(flesh, other);
        sums->fleshSquares += (double)tgDot(flesh, flesh);
        sums->networkSquares += (double)tgDot(other, other);
        fleshMean += (double)flesh.x;
        networkMean += (double)other.x;
    }
    sums->means[0] += fleshMean * networkMean;
    sums->means[1] += fleshMean * fleshMean;
    sums->means[2] += networkMean * networkMean;
}

/// What the figure is made from.
typedef struct tgShaking {
    tgNetwork* network;
    tgFollow* follows;
    float* weights; ///< of the flesh element
    tgFleshPair pair;
    tgActor carried; ///< the skin as the network moves it
} tgShaking;

static void tgCloseShaking(tgShaking* shaking)
{
    free(shaking->network);
    free(shaking->follows);
    free(shaking->weights);
    tgCloseFleshPair(&shaking->pair);
    tgCloseActor(&shaking->carried);
}

static int tgOpenShaking(const tgScene* scene, tgShaking* shaking)
{
    *shaking = (tgShaking){0};
    int driven = 0;
    tgFleshElement cap = tgMakeElement(scene, "cap", "top", &driven);
    cap.attenuation = tg_attenuationParabola;
    cap.springs[0].dampingRatio = 0.4f; // as tissue is; both have it
    int status = tgOpenFleshPair(scene, &cap, 1, &shaking->pair);
    status = status == tg_statusDone ? tgOpenSkin(scene, NULL, &shaking->carried) : status;
    if (status != tg_statusDone) {
        return status;
    }
    size_t count = (size_t)scene->vertexCount;
    shaking->network = calloc(1, sizeof(tgNetwork));
    shaking->follows = calloc(count, sizeof(tgFollow));
    shaking->weights = calloc(count, sizeof(float));
    if (shaking->network == NULL || shaking->follows == NULL || shaking->weights == NULL) {
        return tgSayFailure("mushroom", "no memory for a network of springs");
    }
    tgRig_GetFleshWeights(shaking->pair.moved.rig, 0, shaking->weights);
    double bottom = (double)scene->joints[cap.driver].restJoint.origin.y, spacing = 0.024;
    do { // finer, until there are as many as published
        spacing *= 0.995;
        tgFillNetwork(scene, bottom, spacing, shaking->network);
    } while (shaking->network->linkCount < tg_wantedSprings);
    double omega = 2.0 * 3.14159265358979 * (double)cap.springs[0].frequency;
    tgTuneNetwork(shaking->network, omega, (double)cap.springs[0].dampingRatio);
    for (int v = 0; v < scene->vertexCount; ++v) {
        shaking->follows[v] = tgFindFollow(shaking->network, scene->positions[v]);
    }
    return tg_statusDone;
}

/// How far the base stands to the side at a time.
static double tgGetShift(tgActor* actor, double time)
{
    tgScene_SamplePose(actor->scene, 0, time, actor->nodes, actor->joints, NULL);
    return (double)actor->joints[0].origin.x - (double)actor->scene->joints[0].restJoint.origin.x;
}

/// Shake both and look at both, at the times of the panels too; returns the status.
static int tgShake(tgShaking* shaking, const double* times, int timeCount, tgSheet sheets[2],
                   tgAgreement* sums)
{
    int status = tg_statusDone;
    for (int frame = 0; frame * tg_frame < tg_lastTime && status == tg_statusDone; ++frame) {
        double time = frame * tg_frame;
        for (int s = 1; s <= tg_substeps && frame > 0; ++s) {
            double now = time - tg_frame + tg_frame * s / tg_substeps;
            tgStepNetwork(shaking->network, tgGetShift(&shaking->carried, now), 0.0,
                          tg_frame / tg_substeps);
        }
        status = tgFleshPair_Run(&shaking->pair, 0, time, time);
        if (status == tg_statusDone && time > tg_firstTime) {
            tgCompareFrame(shaking->network, shaking->follows, shaking->weights,
                           tgGetShift(&shaking->carried, time), &shaking->pair, &shaking->carried,
                           sums);
        }
        for (int i = 0; i < timeCount && status == tg_statusDone; ++i) {
            if (fabs(times[i] - time) < 0.5 * tg_frame) {
                tgSheet_Add(&sheets[0], &shaking->carried, "%.2f s", time);
                tgSheet_Add(&sheets[1], &shaking->pair.moved, "%.2f s", time);
            }
        }
    }
    return status;
}

int tgMakeNetworkFigure(tgPaper* paper, tgPaperEntry* entry)
{
    static const double tg_times[] = {0.3, 0.417, 0.533, 0.667};
    const tgScene* scene = tgPaper_GetModel(paper, "mushroom", 1500);
    if (scene == NULL) {
        return tg_statusFailed;
    }
    tgShaking shaking;
    tgSheet sheets[2] = {{0}, {0}};
    tgAgreement sums = {0};
    int status = tgOpenShaking(scene, &shaking);
    for (int i = 0; i < 2 && status == tg_statusDone; ++i) {
        tgSheetDef def = {.actor = &shaking.carried, .view = "0.1,0.15,1"};
        status = tgOpenSheet(paper, &def, &sheets[i]);
    }
    status = status == tg_statusDone ? tgShake(&shaking, tg_times, 4, sheets, &sums) : status;
    if (status == tg_statusDone) {
        tgAddNumber(entry, 3000.0, shaking.network->linkCount, "springs", tg_betterNeither,
                    "the network (published: about)");
        tgAddNumber(entry, 1.0, 1.0, "springs", tg_betterNeither, "the flesh element");
        tgAddNumber(entry, (double)NAN,
                    sums.product / sqrt(sums.fleshSquares * sums.networkSquares), "",
                    tg_betterNeither, "correlation of the displacements, all vertices and frames");
        tgAddNumber(entry, (double)NAN, sums.means[0] / sqrt(sums.means[1] * sums.means[2]), "",
                    tg_betterNeither, "correlation of the mean displacement over time");
        tgAddNumber(entry, (double)NAN, sqrt(sums.fleshSquares / sums.networkSquares), "times",
                    tg_betterNeither, "size of the displacements, flesh over network");
        status = tgSheet_Save(&sheets[0], entry, "The network of springs.");
    }
    status =
        status == tg_statusDone ? tgSheet_Save(&sheets[1], entry, "One flesh element.") : status;
    tgCloseSheet(&sheets[0]);
    tgCloseSheet(&sheets[1]);
    tgCloseShaking(&shaking);
    return status;
}
