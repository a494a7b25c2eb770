// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Profiles as an editor handles them: which fields a kind has, the curve through points, and the
// mirrored profile.

import type { Curve, Joint, Profile, ProfileKind, Settings, Vec3 } from "turgor";

export const kinds: ProfileKind[] = ["organic", "rubber", "muscle", "folds", "isotropic", "belly", "curves"];
export const axisNames = ["e0", "e1", "e2"] as const;
export const axisWords = ["along the bone", "bending axis", "to the inner side"] as const;
export const mostPoints = 32;
export const mostGain = 4;
/** Nearer points are one. In bone lengths. */
export const leastGap = 0.005;

export function hasShape(kind: ProfileKind): boolean {
  return kind !== "organic" && kind !== "curves";
}

export function hasFolds(kind: ProfileKind): boolean {
  return kind === "folds" || kind === "belly";
}

export function toVector(value: number | Vec3 | undefined, otherwise: number): Vec3 {
  return value === undefined
    ? [otherwise, otherwise, otherwise]
    : typeof value === "number"
      ? [value, value, value]
      : [...value];
}

/** One number means: along the parent bone. */
export function toCenter(value: number | Vec3 | undefined): Vec3 {
  return value === undefined ? [0, 0, 0] : typeof value === "number" ? [value, 0, 0] : [...value];
}

/** Monotone cubic (Fritsch and Carlson) through the points, level outside: as the core has it. */
export function evaluate(points: Curve, x: number): number {
  const last = points.length - 1;
  if (last < 0) {
    return 1;
  }
  if (last === 0 || x <= points[0]![0]) {
    return points[0]![1];
  }
  if (x >= points[last]![0]) {
    return points[last]![1];
  }
  let i = 0;
  while (x > points[i + 1]![0]) {
    i += 1;
  }
  const slope = (k: number): number => {
    const a = Math.max(0, Math.min(last - 1, k));
    return (points[a + 1]![1] - points[a]![1]) / (points[a + 1]![0] - points[a]![0]);
  };
  // The harmonic mean never overshoots, and is 0 where the curve turns.
  const tangent = (left: number, right: number): number =>
    left * right > 0 ? (2 * left * right) / (left + right) : 0;
  const before = tangent(slope(i - 1), slope(i)),
    after = tangent(slope(i), slope(i + 1));
  const h = points[i + 1]![0] - points[i]![0],
    t = (x - points[i]![0]) / h,
    u = 1 - t;
  return (
    points[i]![1] * (1 + 2 * t) * u * u +
    points[i + 1]![1] * t * t * (3 - 2 * t) +
    h * t * u * (before * u - after * t)
  );
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

/** A point moved to a place between its neighbours. */
export function movePoint(curve: Curve, index: number, x: number, y: number): Curve {
  const low = index > 0 ? curve[index - 1]![0] + leastGap : -Infinity;
  const high = index < curve.length - 1 ? curve[index + 1]![0] - leastGap : Infinity;
  const moved = curve.map((point) => [...point] as [number, number]);
  moved[index] = [round(Math.max(low, Math.min(high, x))), round(Math.max(0, y))];
  return moved;
}

/** @return null where there is a point already, or as many as there may be */
export function addPoint(curve: Curve, x: number, y: number): { curve: Curve; index: number } | null {
  if (curve.length >= mostPoints || curve.some((point) => Math.abs(point[0] - x) < leastGap)) {
    return null;
  }
  const index = curve.filter((point) => point[0] < x).length;
  const added = curve.map((point) => [...point] as [number, number]);
  added.splice(index, 0, [round(x), round(Math.max(0, y))]);
  return { curve: added, index };
}

export function removePoint(curve: Curve, index: number): Curve {
  return curve.filter((_, i) => i !== index).map((point) => [...point] as [number, number]);
}

/** What points to one side of the bending axis points to the other. */
export function mirrorProfile(profile: Profile): Profile {
  const mirrored: Profile = structuredClone(profile);
  delete mirrored.mirror;
  if (mirrored.center !== undefined && typeof mirrored.center !== "number" && mirrored.center[1] !== 0) {
    mirrored.center = [mirrored.center[0], -mirrored.center[1], mirrored.center[2]];
  }
  if (mirrored.curves !== undefined) {
    mirrored.curves[1] = mirrored.curves[1].map(([x, y]) => [x === 0 ? 0 : -x, y] as [number, number]).reverse();
  }
  return mirrored;
}

/** Without what a kind does not read, which a file would be warned of; the rest as short as can be. */
export function tidy(profile: Profile): Profile {
  const kind = profile.profile ?? "organic";
  const kept: Profile = { profile: kind };
  if (profile.combine === "multiply") {
    kept.combine = profile.combine;
  }
  if (kind !== "organic" && profile.mu !== undefined) {
    kept.mu = profile.mu;
  }
  if (hasShape(kind)) {
    kept.sigma = profile.sigma;
    kept.center = profile.center;
  }
  if (hasFolds(kind)) {
    kept.folds = profile.folds;
  }
  if (kind === "belly") {
    kept.foldAngle = profile.foldAngle;
  }
  if (kind === "organic" && profile.drift) {
    kept.drift = profile.drift;
  }
  if (kind === "curves") {
    kept.curves = profile.curves;
  }
  if (profile.gain !== undefined && profile.gain !== 1) {
    kept.gain = profile.gain;
  }
  if (profile.paint !== undefined) {
    kept.paint = profile.paint;
  }
  if (profile.mirror) {
    kept.mirror = true;
  }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) as Profile;
}

/** Profiles of a joint, written under its own name; undefined: as the default says. */
export function withProfiles(settings: Settings, joint: string, profiles: Profile[] | null | undefined): Settings {
  const joints = { ...settings.volume?.joints };
  if (profiles === undefined) {
    delete joints[joint];
  } else if (profiles === null || profiles.length === 0) {
    joints[joint] = null;
  } else {
    joints[joint] = profiles.length === 1 ? tidy(profiles[0]!) : profiles.map(tidy);
  }
  const volume = { ...settings.volume, joints };
  if (Object.keys(joints).length === 0) {
    delete (volume as { joints?: unknown }).joints;
  }
  return { ...settings, volume };
}

/** A name without its side, numbers and separators: "finger_01.L" is like "finger_02.R". */
export function stemOf(name: string): string {
  return name
    .replace(/(^|[._\-: ])(l|r|left|right)(?=$|[._\-: ])/gi, "")
    .replace(/Left|Right/g, "")
    .replace(/[\d._\-: ]+/g, "")
    .toLowerCase();
}

/** Joints that a profile of this one would suit: called alike, or else built alike. */
export function findAlike(joints: Joint[], joint: number): number[] {
  const own = joints[joint]!;
  const stem = stemOf(own.name);
  const bending = joints.filter((other) => other.index !== joint && other.bends);
  const byName = bending.filter((other) => stem !== "" && stemOf(other.name) === stem);
  if (byName.some((other) => other.index !== own.twin)) {
    return byName.map((other) => other.index);
  }
  const slender = (of: Joint): number => of.radius / (of.boneLength || 1);
  return bending
    .filter((other) => Math.abs(slender(other) / (slender(own) || 1) - 1) < 0.2)
    .map((other) => other.index);
}
