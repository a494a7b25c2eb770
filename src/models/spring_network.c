// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Masses of 1 on a lattice, damped springs between neighbours, steps of semi-implicit Euler as long
// as they are safely stable.

#include "models/spring_network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { tg_near = 4 }; ///< nodes that a vertex follows

struct tgNetwork {
    int nodeCount, springCount, vertexCount, stepCount;
    double *rest, *place, *velocity; ///< 3 for each node
    bool* core;
    int* springs; ///< 2 for each
    double* lengths;
    double stiffness, damping;
    double at[3]; ///< where the core is
    int* near;    ///< tg_near for each vertex
    double* nearWeights;
};

static const double tg_twoPi = 6.283185307179586;

void tgGetShake(double time, double place[3])
{
    double fade = time < 4.0 ? fmin(1.0, time) * fmin(1.0, 4.0 - time) : 0.0;
    place[0] = 0.15 * fade * sin(tg_twoPi * 1.1 * time);
    place[1] = 0.05 * fade * sin(tg_twoPi * 1.7 * time);
    place[2] = 0.10 * fade * sin(tg_twoPi * 0.7 * time + 0.5);
}

// ---- the lattice --------------------------------------------------------------------------------

/// Whether a ray along x from p meets the skin an odd number of times.
static bool tgIsInsideSkin(const tgScene* scene, const double p[3])
{
    int crossings = 0, corner = 0;
    for (int f = 0; f < scene->faceCount; corner += scene->faceSizes[f++]) {
        for (int k = 2; k < scene->faceSizes[f]; ++k) {
            tgVec3 t[3] = {scene->positions[scene->faceVertices[corner]],
                           scene->positions[scene->faceVertices[corner + k - 1]],
                           scene->positions[scene->faceVertices[corner + k]]};
            double sign[3], total = 0.0;
            for (int i = 0; i < 3; ++i) {
                tgVec3 a = t[i], b = t[(i + 1) % 3];
                sign[i] = ((double)a.y - p[1]) * ((double)b.z - p[2]) -
                          ((double)a.z - p[2]) * ((double)b.y - p[1]);
                total += sign[i];
            }
            bool through = (sign[0] > 0.0) == (sign[1] > 0.0) && (sign[1] > 0.0) == (sign[2] > 0.0);
            if (through && total != 0.0) {
                double x = ((double)t[2].x * sign[0] + (double)t[0].x * sign[1] +
                            (double)t[1].x * sign[2]) /
                           total;
                crossings += x > p[0];
            }
        }
    }
    return crossings % 2 == 1;
}

typedef struct tgLattice {
    double low[3], spacing;
    int size[3];
    int* nodes; ///< of each point, -1 outside
    int nodeCount, springCount;
} tgLattice;

static const int tg_neighbours[9][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0}, {1, -1, 0},
                                        {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}};

/// Node at a point of the lattice, -1 for none.
static int tgLattice_Get(const tgLattice* lattice, int x, int y, int z)
{
    const int* n = lattice->size;
    bool within = x >= 0 && y >= 0 && z >= 0 && x < n[0] && y < n[1] && z < n[2];
    return within ? lattice->nodes[(z * n[1] + y) * n[0] + x] : -1;
}

/// Calls for each spring: the two nodes, or counts them without arrays.
static int tgLattice_Connect(const tgLattice* lattice, int* springs)
{
    int count = 0;
    for (int i = 0; i < lattice->size[0] * lattice->size[1] * lattice->size[2]; ++i) {
        int x = i % lattice->size[0], y = i / lattice->size[0] % lattice->size[1];
        int z = i / lattice->size[0] / lattice->size[1];
        for (int k = 0; k < 9 && lattice->nodes[i] >= 0; ++k) {
            const int* d = tg_neighbours[k];
            int other = tgLattice_Get(lattice, x + d[0], y + d[1], z + d[2]);
            if (other >= 0) {
                if (springs != NULL) {
                    springs[2 * count] = lattice->nodes[i];
                    springs[2 * count + 1] = other;
                }
                count += 1;
            }
        }
    }
    return count;
}

/// False without memory.
static bool tgMakeLattice(const tgScene* scene, double spacing, tgLattice* lattice)
{
    double high[3];
    *lattice = (tgLattice){.spacing = spacing};
    int total = 1;
    for (int k = 0; k < 3; ++k) {
        lattice->low[k] = 1e30;
        high[k] = -1e30;
        for (int v = 0; v < scene->vertexCount; ++v) {
            double p = (double)(&scene->positions[v].x)[k];
            lattice->low[k] = fmin(lattice->low[k], p);
            high[k] = fmax(high[k], p);
        }
        // Off the planes of symmetry, where rays would meet edges.
        lattice->low[k] += (0.41 + 0.03 * k) * spacing;
        lattice->size[k] = (int)((high[k] - lattice->low[k]) / spacing) + 1;
        total *= lattice->size[k];
    }
    lattice->nodes = calloc((size_t)total, sizeof(int));
    if (lattice->nodes == NULL) {
        return false;
    }
    for (int i = 0; i < total; ++i) {
        int at[3] = {i % lattice->size[0], i / lattice->size[0] % lattice->size[1],
                     i / lattice->size[0] / lattice->size[1]};
        double p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = lattice->low[k] + at[k] * spacing;
        }
        lattice->nodes[i] = tgIsInsideSkin(scene, p) ? lattice->nodeCount++ : -1;
    }
    lattice->springCount = tgLattice_Connect(lattice, NULL);
    return true;
}

/// The spacing with about so many springs; false without memory.
static bool tgFitLattice(const tgScene* scene, int springs, tgLattice* lattice)
{
    tgVec3 low = scene->positions[0], high = low;
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 p = scene->positions[v];
        low = tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    double fine = (double)tgDistance(low, high) / 60.0, coarse = 8.0 * fine;
    for (int round = 0; round < 12; ++round) {
        double middle = 0.5 * (fine + coarse);
        if (!tgMakeLattice(scene, middle, lattice)) {
            return false;
        }
        if (round == 11) {
            break;
        }
        fine = lattice->springCount > springs ? middle : fine;
        coarse = lattice->springCount > springs ? coarse : middle;
        free(lattice->nodes);
    }
    return true;
}

/// The nodes that each vertex follows, the nearest most.
static void tgFindNear(tgNetwork* network, const tgScene* scene)
{
    for (int v = 0; v < scene->vertexCount; ++v) {
        double best[tg_near], total = 0.0;
        int* near = network->near + tg_near * v;
        for (int i = 0; i < tg_near; ++i) {
            best[i] = 1e30;
            near[i] = 0;
        }
        for (int n = 0; n < network->nodeCount; ++n) {
            const double* p = network->rest + 3 * n;
            double x = p[0] - (double)scene->positions[v].x;
            double y = p[1] - (double)scene->positions[v].y;
            double z = p[2] - (double)scene->positions[v].z, d = x * x + y * y + z * z;
            int at = tg_near;
            while (at > 0 && d < best[at - 1]) {
                at -= 1;
            }
            for (int i = tg_near - 1; i > at; --i) {
                best[i] = best[i - 1];
                near[i] = near[i - 1];
            }
            if (at < tg_near) {
                best[at] = d;
                near[at] = n;
            }
        }
        for (int i = 0; i < tg_near; ++i) {
            network->nearWeights[tg_near * v + i] = 1.0 / (best[i] + 1e-12);
            total += network->nearWeights[tg_near * v + i];
        }
        for (int i = 0; i < tg_near; ++i) {
            network->nearWeights[tg_near * v + i] /= total;
        }
    }
}

static double tgGetBoneDistance(const double p[3], tgVec3 head, tgVec3 tail)
{
    tgVec3 at = tgMakeVec3((float)p[0], (float)p[1], (float)p[2]), bone = tgSub(tail, head);
    float t = tgDot(tgSub(at, head), bone) / tgDot(bone, bone);
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    return (double)tgDistance(at, tgMulAdd(head, t, bone));
}

/// All arrays; false without memory for one of them.
static bool tgAllocNetwork(tgNetwork* network)
{
    size_t nodes = (size_t)network->nodeCount, springs = (size_t)network->springCount,
           vertices = (size_t)network->vertexCount;
    network->rest = calloc(3 * nodes + 1, sizeof(double));
    network->place = calloc(3 * nodes + 1, sizeof(double));
    network->velocity = calloc(3 * nodes + 1, sizeof(double));
    network->core = calloc(nodes + 1, sizeof(bool));
    network->springs = calloc(2 * springs + 1, sizeof(int));
    network->lengths = calloc(springs + 1, sizeof(double));
    network->near = calloc(tg_near * vertices, sizeof(int));
    network->nearWeights = calloc(tg_near * vertices, sizeof(double));
    return network->rest != NULL && network->place != NULL && network->velocity != NULL &&
           network->core != NULL && network->springs != NULL && network->lengths != NULL &&
           network->near != NULL && network->nearWeights != NULL;
}

static void tgPlaceNodes(const tgLattice* lattice, tgVec3 head, tgVec3 tail, float core,
                         tgNetwork* network)
{
    for (int i = 0; i < lattice->size[0] * lattice->size[1] * lattice->size[2]; ++i) {
        int node = lattice->nodes[i];
        if (node < 0) {
            continue;
        }
        int at[3] = {i % lattice->size[0], i / lattice->size[0] % lattice->size[1],
                     i / lattice->size[0] / lattice->size[1]};
        double* rest = network->rest + 3 * (size_t)node;
        for (int k = 0; k < 3; ++k) {
            rest[k] = lattice->low[k] + at[k] * lattice->spacing;
        }
        network->core[node] = tgGetBoneDistance(rest, head, tail) < (double)core;
    }
}

static void tgMeasureSprings(tgNetwork* network)
{
    for (int s = 0; s < network->springCount; ++s) {
        const double* a = network->rest + 3 * network->springs[2 * s];
        const double* b = network->rest + 3 * network->springs[2 * s + 1];
        double squared = 0.0;
        for (int k = 0; k < 3; ++k) {
            squared += (b[k] - a[k]) * (b[k] - a[k]);
        }
        network->lengths[s] = sqrt(squared);
    }
}

tgNetwork* tgCreateNetwork(const tgScene* scene, tgVec3 head, tgVec3 tail, int springs, float core)
{
    tgLattice lattice;
    tgNetwork* network = calloc(1, sizeof(tgNetwork));
    if (network == NULL || !tgFitLattice(scene, springs, &lattice)) {
        free(network);
        return NULL;
    }
    network->nodeCount = lattice.nodeCount;
    network->springCount = lattice.springCount;
    network->vertexCount = scene->vertexCount;
    bool memory = tgAllocNetwork(network);
    if (memory) {
        tgPlaceNodes(&lattice, head, tail, core, network);
        tgLattice_Connect(&lattice, network->springs);
        tgMeasureSprings(network);
        tgFindNear(network, scene);
        tgNetwork_Rest(network);
    }
    free(lattice.nodes);
    if (!memory) {
        tgDestroyNetwork(network);
        network = NULL;
    }
    return network;
}

void tgDestroyNetwork(tgNetwork* network)
{
    if (network == NULL) {
        return;
    }
    free(network->rest);
    free(network->place);
    free(network->velocity);
    free(network->core);
    free(network->springs);
    free(network->lengths);
    free(network->near);
    free(network->nearWeights);
    free(network);
}

int tgNetwork_GetSpringCount(const tgNetwork* network)
{
    return network->springCount;
}

int tgNetwork_GetNodeCount(const tgNetwork* network)
{
    return network->nodeCount;
}

int tgNetwork_GetStepCount(const tgNetwork* network)
{
    return network->stepCount;
}

// ---- motion -------------------------------------------------------------------------------------

void tgNetwork_Rest(tgNetwork* network)
{
    memcpy(network->place, network->rest, 3 * (size_t)network->nodeCount * sizeof(double));
    memset(network->velocity, 0, 3 * (size_t)network->nodeCount * sizeof(double));
    memset(network->at, 0, sizeof(network->at));
}

static void tgPullSprings(tgNetwork* network, double h)
{
    for (int s = 0; s < network->springCount; ++s) {
        int a = 3 * network->springs[2 * s], b = 3 * network->springs[2 * s + 1];
        double d[3], squared = 0.0, closing = 0.0;
        for (int k = 0; k < 3; ++k) {
            d[k] = network->place[b + k] - network->place[a + k];
            squared += d[k] * d[k];
            closing += (network->velocity[b + k] - network->velocity[a + k]) * d[k];
        }
        double length = sqrt(squared);
        double force = network->stiffness * (length - network->lengths[s]) +
                       network->damping * closing / length;
        double pull = h * force / length;
        for (int k = 0; k < 3; ++k) {
            network->velocity[a + k] += pull * d[k];
            network->velocity[b + k] -= pull * d[k];
        }
    }
}

void tgNetwork_Advance(tgNetwork* network, const double from[3], const double to[3], double dt)
{
    // 18 neighbours: omega^2 <= 2 * 18 k; half of the stable step, and damping stays below 1.
    double most = fmin(1.0 / sqrt(36.0 * network->stiffness), 0.5 / (36.0 * network->damping));
    network->stepCount = (int)ceil(dt / most);
    double h = dt / network->stepCount;
    for (int n = 1; n <= network->stepCount; ++n) {
        tgPullSprings(network, h);
        for (int k = 0; k < 3; ++k) {
            network->at[k] = from[k] + (to[k] - from[k]) * n / network->stepCount;
        }
        for (int i = 0; i < network->nodeCount; ++i) {
            for (int k = 0; k < 3; ++k) {
                int c = 3 * i + k;
                network->velocity[c] =
                    network->core[i] ? (to[k] - from[k]) / dt : network->velocity[c];
                network->place[c] = network->core[i] ? network->rest[c] + network->at[k]
                                                     : network->place[c] + h * network->velocity[c];
            }
        }
    }
}

void tgNetwork_Sample(const tgNetwork* network, int v, double displacement[3])
{
    for (int k = 0; k < 3; ++k) {
        displacement[k] = -network->at[k];
        for (int i = 0; i < tg_near; ++i) {
            int c = 3 * network->near[tg_near * v + i] + k;
            displacement[k] +=
                network->nearWeights[tg_near * v + i] * (network->place[c] - network->rest[c]);
        }
    }
}

/// Pushes it sideways and measures how fast it swings.
static double tgMeasureFrequency(tgNetwork* network, double about)
{
    enum { tg_mostCrossings = 8 };
    static const double still[3] = {0.0, 0.0, 0.0};
    double step = 0.01 / about, last = 0.0, first = 0.0, time = 0.0;
    int count = 0;
    tgNetwork_Rest(network);
    for (int i = 0; i < network->nodeCount; ++i) {
        network->velocity[3 * i] = network->core[i] ? 0.0 : 1e-3 * about * network->lengths[0];
    }
    while (count < tg_mostCrossings && time < 50.0 / about) {
        double mean = 0.0;
        tgNetwork_Advance(network, still, still, step);
        time += step;
        for (int i = 0; i < network->nodeCount; ++i) {
            mean += network->place[3 * i] - network->rest[3 * i];
        }
        if (mean * last < 0.0) {
            double crossing = time - step * mean / (mean - last);
            first = count == 0 ? crossing : first;
            count += 1;
            if (count == tg_mostCrossings) { // from one zero to the next is half a period
                tgNetwork_Rest(network);
                return 0.5 * (count - 1) / (crossing - first);
            }
        }
        last = mean;
    }
    tgNetwork_Rest(network);
    return count > 1 ? about * 0.5 : about * 0.1; // slower than we looked
}

void tgNetwork_Tune(tgNetwork* network, double frequency, double dampingRatio)
{
    double omega = tg_twoPi * frequency;
    network->stiffness = omega * omega;
    for (int round = 0; round < 8; ++round) {
        // A damper beside every spring: the ratio of each mode is damping omega / (2 stiffness).
        network->damping = 2.0 * 0.03 * network->stiffness / omega;
        double scale = frequency / tgMeasureFrequency(network, frequency);
        network->stiffness *= scale * scale;
    }
    network->damping = 2.0 * dampingRatio * network->stiffness / omega;
}
