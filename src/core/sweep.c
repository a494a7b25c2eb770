// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What joints sweep. As a tube bends, what its one side sweeps up the other gives away. A shoulder
// has no other side: an arm that swings forwards takes volume in, one that swings backwards leaves
// it, and nothing was crushed. Such gains and losses meet: flesh moves from one joint to the other
// instead of a dent here and a bulge there, and only what is over on one side is corrected. Flesh
// of another piece of the mesh may be of another body, and has no part in it. All of that is
// for dual quaternions, which all but keep a tube's volume; of a linear blend's losses most were
// crushed where it bends.

#include "core/correct.h"

#include <math.h>
#include <string.h>

/// What a joint gained or lost by sweeping. A sweep grows with the angle, a collapse with its
/// square: where balance is only a little less than 1, much of the volume was swept. Profiles other
/// than the organic one are shapes that were asked for at their joint.
static double tgGetSwept(const tgCorrectTask* task, int limb)
{
    const tgLimb* l = &task->loss.limbs->limbs[limb];
    bool isOrganic = l->profileCount > 0 && l->profiles[0].kind == tg_profileOrganic;
    double squared = (double)l->balance * (double)l->balance;
    double part = isOrganic && task->loss.dualQuaternion ? 1.0 - squared * squared : 0.0;
    return part * task->loss.losses[limb];
}

void tgMeetSweeps(tgCorrectTask* task)
{
    const tgLimbs* limbs = task->loss.limbs;
    double *gains = task->metGains, *losses = task->metLosses;
    memset(gains, 0, (size_t)limbs->count * sizeof(double));
    memset(losses, 0, (size_t)limbs->count * sizeof(double));
    for (int i = 0; i < limbs->count; ++i) {
        double swept = task->loss.bends[i] ? tgGetSwept(task, i) : 0.0;
        gains[limbs->limbs[i].kin] += fmax(swept, 0.0);
        losses[limbs->limbs[i].kin] += fmax(-swept, 0.0);
    }
    for (int i = 0; i < limbs->count; ++i) {
        double met = fmin(gains[i], losses[i]);
        gains[i] = met > 0.0 ? met / gains[i] : 0.0;
        losses[i] = met > 0.0 ? met / losses[i] : 0.0;
    }
}

double tgGetUnmet(const tgCorrectTask* task, int limb)
{
    double swept = tgGetSwept(task, limb);
    int kin = task->loss.limbs->limbs[limb].kin;
    return task->loss.losses[limb] - (swept > 0.0 ? task->metGains : task->metLosses)[kin] * swept;
}
