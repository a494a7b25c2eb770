// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where a plane cuts a triangle mesh.

import type { Vec3 } from "turgor";

/** @return 6 numbers for each piece of the outline: both of its ends */
export function cutMesh(
  positions: Float32Array,
  triangles: Uint32Array,
  origin: Vec3,
  normal: Vec3,
  reach: number,
): Float32Array {
  const count = positions.length / 3;
  const heights = new Float32Array(count);
  for (let v = 0; v < count; ++v) {
    heights[v] =
      (positions[3 * v]! - origin[0]) * normal[0] +
      (positions[3 * v + 1]! - origin[1]) * normal[1] +
      (positions[3 * v + 2]! - origin[2]) * normal[2];
  }
  const pieces: number[] = [];
  const cross = (a: number, b: number): void => {
    const t = heights[a]! / (heights[a]! - heights[b]!);
    for (let k = 0; k < 3; ++k) {
      pieces.push(positions[3 * a + k]! + t * (positions[3 * b + k]! - positions[3 * a + k]!));
    }
  };
  for (let f = 0; f < triangles.length; f += 3) {
    const a = triangles[f]!,
      b = triangles[f + 1]!,
      c = triangles[f + 2]!;
    const above = (heights[a]! >= 0 ? 1 : 0) + (heights[b]! >= 0 ? 2 : 0) + (heights[c]! >= 0 ? 4 : 0);
    if (above === 0 || above === 7) {
      continue;
    }
    // The corner that is alone on its side.
    const alone = above === 1 || above === 6 ? a : above === 2 || above === 5 ? b : c;
    const [left, right] = alone === a ? [b, c] : alone === b ? [c, a] : [a, b];
    cross(alone, left);
    cross(alone, right);
  }
  return keepNearest(new Float32Array(pieces), origin, reach);
}

/** Of the outlines that hang together, the one nearest to the joint: the plane meets other limbs, too. */
function keepNearest(pieces: Float32Array, origin: Vec3, reach: number): Float32Array {
  const count = pieces.length / 6;
  const parents = Array.from({ length: count }, (_, i) => i);
  const rootOf = (i: number): number => {
    while (parents[i] !== i) {
      parents[i] = parents[parents[i]!]!;
      i = parents[i]!;
    }
    return i;
  };
  // Ends in one place belong together, whichever vertices the seams of a mesh have there.
  const ends = new Map<string, number>();
  const grain = 1e5 / reach;
  for (let end = 0; end < 2 * count; ++end) {
    const key = [0, 1, 2].map((k) => Math.round(pieces[3 * end + k]! * grain)).join();
    const other = ends.get(key);
    if (other === undefined) {
      ends.set(key, end >> 1);
    } else {
      parents[rootOf(end >> 1)] = rootOf(other);
    }
  }
  let nearest = Infinity,
    best = -1;
  for (let end = 0; end < 2 * count; ++end) {
    const distance = Math.hypot(...[0, 1, 2].map((k) => pieces[3 * end + k]! - origin[k]!));
    if (distance < nearest) {
      nearest = distance;
      best = rootOf(end >> 1);
    }
  }
  const kept = Array.from({ length: count }, (_, i) => i).filter((i) => nearest < reach && rootOf(i) === best);
  return new Float32Array(kept.flatMap((i) => Array.from(pieces.subarray(6 * i, 6 * i + 6))));
}
