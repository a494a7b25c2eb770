// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Numbers as colours. The map goes from the skin's own grey to warm, so that what is 0 looks like
// skin, in the light and in the dark.

const stops: [number, number, number, number][] = [
  [0, 176, 180, 190],
  [0.08, 120, 150, 200],
  [0.3, 60, 150, 175],
  [0.55, 245, 205, 80],
  [0.8, 236, 110, 50],
  [1, 180, 25, 60],
];
const steps = 256;

const table = (() => {
  const colors = new Uint8Array(3 * steps);
  for (let i = 0; i < steps; ++i) {
    const t = i / (steps - 1);
    const high = stops.findIndex((stop) => stop[0] >= t);
    const b = stops[Math.max(1, high)]!,
      a = stops[Math.max(1, high) - 1]!;
    const s = (t - a[0]) / (b[0] - a[0]);
    for (let k = 0; k < 3; ++k) {
      colors[3 * i + k] = Math.round(a[k + 1]! + s * (b[k + 1]! - a[k + 1]!));
    }
  }
  return colors;
})();

/** @param colors 3 bytes for each value */
export function fillColors(values: Float32Array, most: number, colors: Uint8Array): void {
  const scale = most > 0 ? (steps - 1) / most : 0;
  for (let v = 0; v < values.length; ++v) {
    const at = 3 * Math.max(0, Math.min(steps - 1, Math.round(values[v]! * scale)));
    colors[3 * v] = table[at]!;
    colors[3 * v + 1] = table[at + 1]!;
    colors[3 * v + 2] = table[at + 2]!;
  }
}

export function legendGradient(): string {
  return `linear-gradient(to right, ${stops.map(([t, r, g, b]) => `rgb(${r} ${g} ${b}) ${100 * t}%`).join(", ")})`;
}

export function largest(values: Float32Array): number {
  let most = 0;
  for (let v = 0; v < values.length; ++v) {
    most = values[v]! > most ? values[v]! : most;
  }
  return most;
}
