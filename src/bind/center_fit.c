// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The centre of the spheres on which markers move. The closed form makes |p|^2 - 2 p.c the same for
// all points of a marker (Gamage and Lasenby, 2002); noise biases it towards the markers, the more
// the smaller the motion. Gauss-Newton from there on the distances themselves has no such bias: at
// 1 mm noise over 20 degrees it errs by a sixth.

#include "bind/rotation_center.h"
#include "bind/symmetric.h"

enum { tg_mostFitSteps = 60, tg_mostHalvings = 20 };
/// Steps below this fraction of the cloud's radius change nothing.
static const double tg_smallestStep = 1e-10;

static void tgAddOuter(double matrix[3][3], tgVec3d a, tgVec3d b)
{
    const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            matrix[r][c] += x[r] * y[c];
        }
    }
}

double tgMeasureSpheres(const tgCloud* cloud, tgVec3d center)
{
    double sum = 0.0;
    for (int m = 0; m < cloud->markerCount; ++m) {
        double distances = 0.0, squares = 0.0;
        int count = cloud->starts[m + 1] - cloud->starts[m];
        // About the first distance, so that the difference of the sums loses no digits.
        double first = tgLengthD(tgSubD(cloud->points[cloud->starts[m]], center));
        for (int i = cloud->starts[m]; i < cloud->starts[m + 1]; ++i) {
            double distance = tgLengthD(tgSubD(cloud->points[i], center)) - first;
            distances += distance;
            squares += distance * distance;
        }
        double spread = squares - distances * distances / count;
        sum += spread > 0.0 ? spread : 0.0;
    }
    return sum;
}

double tgMeasureSlope(const tgCloud* cloud, tgVec3d center, double matrix[3][3], double slope[3])
{
    double sum = 0.0;
    for (int m = 0; m < cloud->markerCount; ++m) {
        int begin = cloud->starts[m], end = cloud->starts[m + 1];
        double meanDistance = 0.0;
        tgVec3d meanDirection = {0};
        for (int i = begin; i < end; ++i) {
            tgVec3d arm = tgSubD(cloud->points[i], center);
            double length = tgLengthD(arm);
            meanDistance += length / (end - begin);
            meanDirection =
                tgMulAddD(meanDirection, 1.0 / (fmax(length, 1e-300) * (end - begin)), arm);
        }
        for (int i = begin; i < end; ++i) {
            tgVec3d arm = tgSubD(cloud->points[i], center);
            double length = tgLengthD(arm);
            double residual = length - meanDistance;
            // d(length)/dc is minus the direction; the mean takes its own part away.
            tgVec3d row = tgSubD(meanDirection, tgMulSVD(1.0 / fmax(length, 1e-300), arm));
            tgAddOuter(matrix, row, row);
            slope[0] += residual * row.x;
            slope[1] += residual * row.y;
            slope[2] += residual * row.z;
            sum += residual * residual;
        }
    }
    return sum;
}

static tgVec3d tgFindMarkerMean(const tgCloud* cloud, int m)
{
    tgVec3d sum = {0};
    for (int i = cloud->starts[m]; i < cloud->starts[m + 1]; ++i) {
        sum = tgAddD(sum, cloud->points[i]);
    }
    return tgMulSVD(1.0 / (cloud->starts[m + 1] - cloud->starts[m]), sum);
}

void tgMeasureSpread(const tgCloud* cloud, double spread[3][3])
{
    for (int m = 0; m < cloud->markerCount; ++m) {
        tgVec3d mean = tgFindMarkerMean(cloud, m);
        for (int i = cloud->starts[m]; i < cloud->starts[m + 1]; ++i) {
            tgVec3d d = tgSubD(cloud->points[i], mean);
            tgAddOuter(spread, d, d);
        }
    }
}

/// Solve for a step in the free directions.
static tgVec3d tgSolveFree(double matrix[3][3], tgVec3d b, const tgFreedom* freedom)
{
    double projected[3][3];
    for (int c = 0; c < 3; ++c) {
        tgVec3d column = tgMakeVec3d(matrix[0][c], matrix[1][c], matrix[2][c]);
        column = tgFreedom_Project(freedom, column);
        projected[0][c] = column.x;
        projected[1][c] = column.y;
        projected[2][c] = column.z;
    }
    for (int r = 0; r < 3; ++r) {
        tgVec3d row = tgMakeVec3d(projected[r][0], projected[r][1], projected[r][2]);
        row = tgFreedom_Project(freedom, row);
        projected[r][0] = row.x;
        projected[r][1] = row.y;
        projected[r][2] = row.z;
    }
    b = tgFreedom_Project(freedom, b);
    const double right[3] = {b.x, b.y, b.z};
    double x[3];
    tgEigen eigen = tgFindEigen(3, &projected[0][0]);
    tgEigen_Solve(&eigen, freedom->isHinge ? 2 : 3, right, x);
    return tgFreedom_Project(freedom, tgMakeVec3d(x[0], x[1], x[2]));
}

/// sum 2 (p - mean)(p - mean)^T c = sum (|p|^2 - mean |p|^2)(p - mean), all about the prior.
static tgVec3d tgSolveSpheres(const tgCloud* cloud, const tgFreedom* freedom)
{
    double matrix[3][3] = {{0.0}};
    tgVec3d right = {0};
    tgMeasureSpread(cloud, matrix);
    for (int m = 0; m < cloud->markerCount; ++m) {
        tgVec3d mean = tgFindMarkerMean(cloud, m);
        for (int i = cloud->starts[m]; i < cloud->starts[m + 1]; ++i) {
            // The mean of |p|^2 drops out: it stands before a sum of differences from the mean.
            tgVec3d p = tgSubD(cloud->points[i], freedom->prior);
            right = tgMulAddD(right, 0.5 * tgDotD(p, p), tgSubD(cloud->points[i], mean));
        }
    }
    return tgAddD(freedom->prior, tgSolveFree(matrix, right, freedom));
}

tgVec3d tgFitCenter(const tgCloud* cloud, const tgFreedom* freedom)
{
    tgVec3d center = tgSolveSpheres(cloud, freedom);
    for (int i = 0; i < tg_mostFitSteps; ++i) {
        double matrix[3][3] = {{0.0}}, slope[3] = {0.0};
        double before = tgMeasureSlope(cloud, center, matrix, slope);
        tgVec3d down = tgMakeVec3d(-slope[0], -slope[1], -slope[2]);
        tgVec3d step = tgSolveFree(matrix, down, freedom);
        int halvings = 0;
        while (halvings < tg_mostHalvings &&
               !(tgMeasureSpheres(cloud, tgAddD(center, step)) <= before)) {
            step = tgMulSVD(0.5, step);
            halvings += 1;
        }
        if (halvings == tg_mostHalvings) {
            break;
        }
        center = tgAddD(center, step);
        if (tgLengthD(step) < tg_smallestStep * cloud->radius) {
            break;
        }
    }
    return center;
}
