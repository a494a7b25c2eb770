// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Shares along three axes as a point in a triangle: they are its barycentric coordinates.

import type { Vec3 } from "turgor";
import { axisNames } from "../model/profiles";
import { drag, h, svg } from "./dom";

const corners: [number, number][] = [
  [16, 100],
  [104, 100],
  [60, 22],
];

export class ShareTriangle {
  readonly element: HTMLElement;
  private readonly view = svg("svg", { viewBox: "0 0 120 122", class: "triangle" });
  private readonly dot = svg("circle", {
    r: 6,
    class: "point",
    tabindex: "0",
    role: "slider",
    "aria-label": "Shares of e0, e1, e2",
  });
  private readonly words = h("output", { class: "readout" });
  private mu: Vec3 = [1 / 3, 1 / 3, 1 / 3];
  private gestures = 0;

  constructor(
    private readonly onChange: (mu: Vec3, key: string | null, time: number) => void,
    onEnd: () => void,
  ) {
    const shape = svg("polygon", { points: corners.map((corner) => corner.join(",")).join(" "), class: "field" });
    const labels = corners.map(([x, y], k) =>
      svg("text", {
        x,
        y: k === 2 ? y - 8 : y + 15,
        "text-anchor": "middle",
        class: `axis${k}`,
        text: axisNames[k],
      }),
    );
    this.view.append(shape, ...labels, this.dot);
    this.element = h("div", { class: "shares" }, this.view, this.words);
    const begin = (event: PointerEvent): ((moved: PointerEvent) => void) => {
      this.gestures += 1;
      const move = (moved: PointerEvent): void =>
        this.onChange(this.fromEvent(moved), `mu ${this.gestures}`, moved.timeStamp);
      this.dot.focus();
      move(event);
      return move;
    };
    drag(this.view, begin, onEnd);
    this.dot.addEventListener("keydown", (event) => this.onKey(event));
  }

  setShares(mu: Vec3, isOn: boolean): void {
    const sum = mu[0] + mu[1] + mu[2];
    this.mu = sum > 0 ? (mu.map((share) => share / sum) as Vec3) : [1 / 3, 1 / 3, 1 / 3];
    const at = [0, 1].map((c) => corners.reduce((total, corner, k) => total + this.mu[k]! * corner[c]!, 0));
    this.dot.setAttribute("cx", String(at[0]));
    this.dot.setAttribute("cy", String(at[1]));
    const text = this.mu.map((share, k) => `${axisNames[k]} ${share.toFixed(2)}`).join("  ");
    this.dot.setAttribute("aria-valuetext", text);
    this.words.textContent = sum > 0 ? text : "all alike";
    this.element.classList.toggle("off", !isOn);
  }

  private fromEvent(event: PointerEvent): Vec3 {
    const box = this.view.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 120,
      y = ((event.clientY - box.top) / box.height) * 122;
    const [[ax, ay], [bx, by], [cx, cy]] = corners as [[number, number], [number, number], [number, number]];
    const area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy);
    const first = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / area;
    const second = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / area;
    return settle([first, second, 1 - first - second]);
  }

  private onKey(event: KeyboardEvent): void {
    const step = event.shiftKey ? 0.1 : 0.02;
    const moves: Record<string, Vec3> = {
      ArrowLeft: [step, -step, 0],
      ArrowRight: [-step, step, 0],
      ArrowUp: [-step / 2, -step / 2, step],
      ArrowDown: [step / 2, step / 2, -step],
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      this.onChange(settle(this.mu.map((share, k) => share + move[k]!) as Vec3), "mu keys", event.timeStamp);
    }
  }
}

/** Into the triangle, in hundredths that sum to 1. */
function settle(mu: Vec3): Vec3 {
  const kept = mu.map((share) => Math.max(0, share));
  const sum = kept.reduce((a, b) => a + b, 0) || 1;
  const first = Math.round((100 * kept[0]!) / sum),
    second = Math.round((100 * kept[1]!) / sum);
  const two = Math.min(100 - first, second);
  return [first / 100, two / 100, (100 - first - two) / 100];
}
