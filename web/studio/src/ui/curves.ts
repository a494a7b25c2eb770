// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The curve editor: three plots along the joint's own axes, the limb behind them. Points are
// dragged, added by a click on the curve's plot, deleted by Delete or a double click. Snapping is
// on while Shift is held, or by its switch.

import type { Curve } from "turgor";
import { addPoint, axisNames, axisWords, evaluate, movePoint, removePoint } from "../model/profiles";
import { drag, h, svg } from "./dom";

const width = 320,
  height = 74,
  margin = { left: 26, right: 8, top: 8, bottom: 16 };
/** The curve as so many straight pieces. */
const pieces = 120;
const snapStep = { x: 0.05, y: 0.05 };
/** What is seen at least, in bone lengths. */
const leastReach = 0.75;

export interface CurvesHost {
  /** A curve became another; `isLast`: the drag is over. */
  onChange(axis: number, curve: Curve, label: string, key: string | null, time: number): void;
  onEnd(): void;
  /** [least, most] for each of `count` places, in bone lengths. */
  askSilhouette(axis: number, from: number, to: number, count: number): Promise<Float32Array | null>;
}

class CurvePlot {
  readonly element: HTMLElement;
  private readonly view = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "curve",
    role: "group",
    tabindex: "-1",
  });
  private readonly limb = svg("path", { class: "limb" });
  private readonly grid = svg("g", { class: "grid" });
  private readonly area = svg("path", { class: "area" });
  private readonly line = svg("path", { class: "line" });
  private readonly points = svg("g");
  private readonly readout = h("output", { class: "readout" });
  private curve: Curve = [];
  private range: [number, number] = [-1, 1];
  private top = 1.1;
  private focused = -1;
  private gestures = 0;
  private asks = 0;
  private isHeld = false;
  snaps = false;

  constructor(
    private readonly axis: number,
    private readonly host: CurvesHost,
  ) {
    const name = axisNames[axis]!;
    const hit = svg("rect", {
      class: "hit",
      x: margin.left,
      y: margin.top,
      width: width - margin.left - margin.right,
      height: height - margin.top - margin.bottom,
    });
    this.view.setAttribute("aria-label", `Curve ${name}, ${axisWords[axis]}`);
    this.view.append(this.limb, this.grid, hit, this.area, this.line, this.points);
    this.element = h(
      "figure",
      { class: `plot axis${axis}`, "data-axis": axis },
      h("figcaption", {}, h("b", { text: name }), ` ${axisWords[axis]}`, this.readout),
      this.view,
    );
    this.connect(hit);
  }

  // ---- places ----

  private toX(value: number): number {
    const [low, high] = this.range;
    return margin.left + ((value - low) / (high - low)) * (width - margin.left - margin.right);
  }

  private toY(value: number): number {
    return height - margin.bottom - (value / this.top) * (height - margin.top - margin.bottom);
  }

  private fromEvent(event: PointerEvent | MouseEvent): [number, number] {
    const box = this.view.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width,
      y = ((event.clientY - box.top) / box.height) * height;
    const [low, high] = this.range;
    return [
      low + ((x - margin.left) / (width - margin.left - margin.right)) * (high - low),
      ((height - margin.bottom - y) / (height - margin.top - margin.bottom)) * this.top,
    ];
  }

  private snap(x: number, y: number, isAsked: boolean): [number, number] {
    return isAsked === this.snaps
      ? [x, y]
      : [Math.round(x / snapStep.x) * snapStep.x, Math.round(y / snapStep.y) * snapStep.y];
  }

  /** All of the curve, and the limb about the joint; steady while a point is held. */
  private fit(): void {
    if (this.isHeld) {
      return;
    }
    const xs = this.curve.map((point) => point[0]);
    const reach = Math.max(leastReach, ...xs.map(Math.abs)) * 1.06;
    this.range = [-reach, reach];
    this.top = Math.max(1, ...this.curve.map((point) => point[1])) * 1.12;
  }

  // ---- drawing ----

  setCurve(curve: Curve): void {
    this.curve = curve;
    const before = this.range;
    this.fit();
    this.draw();
    if (before[0] !== this.range[0] || this.limb.getAttribute("d") === null) {
      void this.drawLimb();
    }
  }

  private draw(): void {
    const [low, high] = this.range;
    const places = Array.from({ length: pieces + 1 }, (_, i) => low + ((high - low) * i) / pieces);
    const path = places
      .map(
        (x, i) => `${i === 0 ? "M" : "L"}${this.toX(x).toFixed(1)} ${this.toY(evaluate(this.curve, x)).toFixed(1)}`,
      )
      .join("");
    this.line.setAttribute("d", path);
    this.area.setAttribute("d", `${path}L${this.toX(high)} ${this.toY(0)}L${this.toX(low)} ${this.toY(0)}Z`);
    this.drawGrid();
    this.drawPoints();
  }

  private drawGrid(): void {
    const [low, high] = this.range;
    const step = high - low > 4 ? 1 : 0.5;
    const lines: SVGElement[] = [];
    for (let x = Math.ceil(low / step) * step; x <= high; x += step) {
      lines.push(
        svg("line", {
          x1: this.toX(x),
          x2: this.toX(x),
          y1: margin.top,
          y2: height - margin.bottom,
          class: Math.abs(x) < 1e-9 ? "zero" : "",
        }),
        svg("text", {
          x: this.toX(x),
          y: height - 4,
          "text-anchor": "middle",
          text: String(Math.round(x * 10) / 10),
        }),
      );
    }
    for (const y of this.top > 2.5 ? [0, 1, 2] : [0, 0.5, 1]) {
      lines.push(
        svg("line", { x1: margin.left, x2: width - margin.right, y1: this.toY(y), y2: this.toY(y) }),
        svg("text", { x: margin.left - 4, y: this.toY(y) + 3, "text-anchor": "end", text: String(y) }),
      );
    }
    this.grid.replaceChildren(...lines);
  }

  private drawPoints(): void {
    while (this.points.childElementCount > this.curve.length) {
      this.points.lastElementChild!.remove();
    }
    while (this.points.childElementCount < this.curve.length) {
      const index = this.points.childElementCount;
      const dot = svg("circle", { r: 5, class: "point", tabindex: "0", role: "slider" });
      dot.addEventListener("focus", () => this.focus(index));
      dot.addEventListener("keydown", (event) => this.onKey(event, index));
      dot.addEventListener("dblclick", (event) => {
        event.stopPropagation();
        this.remove(index);
      });
      drag(
        dot,
        (event) => this.beginDrag(event, index),
        () => this.endDrag(),
      );
      this.points.append(dot);
    }
    this.curve.forEach(([x, y], i) => {
      const dot = this.points.children[i]!;
      dot.setAttribute("cx", this.toX(x).toFixed(1));
      dot.setAttribute("cy", this.toY(y).toFixed(1));
      dot.setAttribute("aria-label", `Point ${i + 1} of ${this.curve.length} at ${x}`);
      dot.setAttribute("aria-valuenow", String(y));
      dot.setAttribute("aria-valuetext", `${x}, ${y}`);
    });
    const point = this.curve[this.focused];
    this.readout.textContent =
      point !== undefined && document.activeElement?.parentNode === this.points
        ? `${point[0].toFixed(2)}, ${point[1].toFixed(2)}`
        : "";
  }

  /** The limb lies across the plot, as thick as it is in bone lengths, about the middle. */
  async drawLimb(): Promise<void> {
    const ask = ++this.asks;
    const [low, high] = this.range,
      count = 64;
    const found = await this.host.askSilhouette(this.axis, low, high, count);
    if (ask !== this.asks) {
      return;
    }
    const shown: [number, number, number][] = [];
    for (let i = 0; found !== null && i < count; ++i) {
      const least = found[2 * i]!,
        most = found[2 * i + 1]!;
      if (Number.isFinite(least) && Number.isFinite(most)) {
        shown.push([low + ((high - low) * i) / (count - 1), least, most]);
      }
    }
    const largest = Math.max(1e-6, ...shown.map(([, least, most]) => Math.max(Math.abs(least), Math.abs(most))));
    const middle = (margin.top + height - margin.bottom) / 2,
      scale = (0.45 * (height - margin.top - margin.bottom)) / largest;
    const up = shown.map(([x, , most]) => `${this.toX(x).toFixed(1)} ${(middle - most * scale).toFixed(1)}`);
    const down = shown
      .map(([x, least]) => `${this.toX(x).toFixed(1)} ${(middle - least * scale).toFixed(1)}`)
      .reverse();
    this.limb.setAttribute("d", shown.length > 1 ? `M${[...up, ...down].join("L")}Z` : "");
  }

  // ---- hands ----

  private change(curve: Curve, label: string, key: string | null, time: number): void {
    this.host.onChange(this.axis, curve, `${label} on ${axisNames[this.axis]}`, key, time);
  }

  private connect(hit: SVGRectElement): void {
    // A click on the plot puts a point there, at once in the hand.
    let index = -1;
    drag(
      hit,
      (event) => {
        const [x, y] = this.snap(...this.fromEvent(event), event.shiftKey);
        const added = addPoint(this.curve, x, y);
        if (added === null) {
          return null;
        }
        index = added.index;
        this.gestures += 1;
        this.isHeld = true;
        const key = `add ${this.axis} ${this.gestures}`;
        this.change(added.curve, "Add a point", key, event.timeStamp);
        (this.points.children[index] as SVGElement | undefined)?.focus();
        return (moved) => {
          const [nx, ny] = this.snap(...this.fromEvent(moved), moved.shiftKey);
          this.change(movePoint(this.curve, index, nx, ny), "Add a point", key, moved.timeStamp);
        };
      },
      () => this.endDrag(),
    );
  }

  private beginDrag(event: PointerEvent, index: number): (moved: PointerEvent) => void {
    event.stopPropagation();
    (this.points.children[index] as SVGElement).focus();
    this.gestures += 1;
    this.isHeld = true;
    const key = `drag ${this.axis} ${this.gestures}`;
    const [startX, startY] = this.fromEvent(event),
      [pointX, pointY] = this.curve[index]!;
    return (moved) => {
      const [nx, ny] = this.fromEvent(moved);
      const [x, y] = this.snap(pointX + nx - startX, pointY + ny - startY, moved.shiftKey);
      this.change(movePoint(this.curve, index, x, y), "Drag a point", key, moved.timeStamp);
    };
  }

  private endDrag(): void {
    this.isHeld = false;
    this.host.onEnd();
    this.setCurve(this.curve);
  }

  private focus(index: number): void {
    this.focused = index;
    this.drawPoints();
  }

  private remove(index: number): void {
    this.change(removePoint(this.curve, index), "Delete a point", null, performance.now());
    const next = this.points.children[Math.min(index, this.curve.length - 1)] as SVGElement | undefined;
    next?.focus();
  }

  private onKey(event: KeyboardEvent, index: number): void {
    const [x, y] = this.curve[index]!;
    const step = event.shiftKey ? 5 : 1;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-0.01, 0],
      ArrowRight: [0.01, 0],
      ArrowUp: [0, 0.01],
      ArrowDown: [0, -0.01],
    };
    const move = moves[event.key];
    if (move !== undefined) {
      this.change(
        movePoint(this.curve, index, x + step * move[0], y + step * move[1]),
        "Move a point",
        `keys ${this.axis} ${index}`,
        event.timeStamp,
      );
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.remove(index);
    } else if (event.key === "Insert" || event.key === "Enter") {
      const next = this.curve[index + 1]?.[0] ?? x + 0.4;
      const added = addPoint(this.curve, (x + next) / 2, evaluate(this.curve, (x + next) / 2));
      if (added !== null) {
        this.change(added.curve, "Add a point", null, event.timeStamp);
        (this.points.children[added.index] as SVGElement | undefined)?.focus();
      }
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

export class CurveEditor {
  readonly element = h("div", { class: "curves" });
  private readonly plots: CurvePlot[];

  constructor(host: CurvesHost) {
    this.plots = [0, 1, 2].map((axis) => new CurvePlot(axis, host));
    this.element.append(...this.plots.map((plot) => plot.element));
  }

  /** @param isDrawn they are the joint's own curves; otherwise a picture of its preset */
  setCurves(curves: readonly Curve[], isDrawn: boolean): void {
    this.element.classList.toggle("preset", !isDrawn);
    this.plots.forEach((plot, axis) => plot.setCurve(curves[axis] ?? []));
  }

  setSnaps(snaps: boolean): void {
    this.plots.forEach((plot) => (plot.snaps = snaps));
  }

  /** Another joint: another limb behind the curves. */
  redrawLimbs(): void {
    this.plots.forEach((plot) => void plot.drawLimb());
  }
}
