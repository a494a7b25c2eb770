// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// One step of a damped spring in closed form. With E = exp(-beta h), d = omega^2 - beta^2:
//
//   y1 = E [(C + beta S) y0 + S v0]     v1 = E [(C - beta S) v0 - omega^2 S y0]
//
// where C = cos(wh), S = sin(wh) / w for w = sqrt(d), their series where d h^2 is small, and the
// hyperbolic pair for negative d, written so that nothing overflows.

#include "core/spring.h"

#include "core/elementary.h"

#include <math.h>

/// |d| h^2 below this: four terms of the series reach the last place.
static const double tg_nearlyCritical = 1e-4;

tgSpringStep tgMakeSpringStep(const tgSpring* spring, double h)
{
    double omega = spring->omega, beta = spring->beta;
    // The product keeps what the difference of two squares would lose.
    double d = (omega - beta) * (omega + beta);
    double c, s; // E C and E S
    if (fabs(d) * h * h < tg_nearlyCritical) {
        double q = d * h * h, e = tgExp(-beta * h);
        c = e * (1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0)));
        s = e * h * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0)));
    } else if (d > 0.0) {
        double w = sqrt(d), e = tgExp(-beta * h);
        tgSineCosine(w * h, &s, &c);
        c *= e;
        s *= e / w;
    } else {
        double w = sqrt(-d);
        double slow = tgExp(-omega * omega / (beta + w) * h); // the root that decays slowly
        c = 0.5 * slow * (1.0 + tgExp(-2.0 * w * h));
        s = -0.5 * slow * tgExpMinusOne(-2.0 * w * h) / w;
    }
    return (tgSpringStep){
        .yy = c + beta * s,
        .yv = s,
        .vy = -omega * omega * s,
        .vv = c - beta * s,
    };
}

double tgGetSpringReach(const tgSpring* spring, double distanceSquared, double speedSquared)
{
    return sqrt(distanceSquared + speedSquared / (spring->omega * spring->omega));
}
