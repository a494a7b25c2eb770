// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Time: play, scrub, loop, speed; the volume over the clip; and the keys by which the character
// breathes, which stand on the same axis.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { TargetKey } from "turgor";
import type { Studio } from "../model/studio";
import { button, drag, h, icon, svg } from "./dom";

/** Room for the plot's numbers, so that its axis and the keys' line up. */
const gutter = { left: 48, right: 12 };
const keyHeight = 26;

export class Timeline {
  readonly transport: HTMLElement;
  readonly plotHost = h("div", { class: "volumeplot", role: "img", "aria-label": "Volume over the clip" });
  readonly keysHost = h("div", { class: "breathing" });
  private readonly play: HTMLButtonElement;
  private readonly scrub = h("input", {
    type: "range",
    min: "0",
    max: "1",
    step: "any",
    "aria-label": "Time",
    class: "scrub",
  });
  private readonly clock = h("output", { class: "clock" });
  private readonly clip = h("select", { "aria-label": "Animation" });
  private readonly speed = h(
    "select",
    { "aria-label": "Speed" },
    ...[0.1, 0.25, 0.5, 1, 2].map((value) => h("option", { value, text: `${value}×`, selected: value === 1 })),
  );
  private readonly loop: HTMLButtonElement;
  private readonly note = h("span", { class: "hint" });
  private plot: uPlot | null = null;
  private readonly keys: BreathingKeys;

  constructor(private readonly studio: Studio) {
    this.play = button("Play", "play", () => studio.setPlaying(!studio.playing), {
      bare: true,
      class: "primary round",
    });
    this.loop = button("Loop", "loop", () => this.setLoop(!studio.loops), { bare: true, "aria-pressed": "true" });
    this.keys = new BreathingKeys(studio, this.keysHost);
    this.transport = h(
      "div",
      { class: "transport" },
      button("To the start", "first", () => studio.seek(studio.clipRange.start), { bare: true }),
      this.play,
      this.loop,
      this.scrub,
      this.clock,
      this.speed,
      this.clip,
      button("Breathing key", "key", () => this.keys.addHere(), { title: "A breathing key at this time" }),
    );
    this.plotHost.append(this.note);
    this.connect();
  }

  private setLoop(loops: boolean): void {
    this.studio.loops = loops;
    this.loop.setAttribute("aria-pressed", String(loops));
  }

  private connect(): void {
    const { studio } = this;
    this.scrub.addEventListener("input", () => {
      studio.setPlaying(false);
      studio.seek(Number(this.scrub.value));
    });
    this.clip.addEventListener("change", () => studio.setAnimation(Number(this.clip.value)));
    this.speed.addEventListener("change", () => (studio.speed = Number(this.speed.value)));
    studio.on("character", (character) => {
      this.clip.replaceChildren(
        ...character.animations.map((animation) =>
          h("option", { value: animation.index, text: animation.name || `animation ${animation.index}` }),
        ),
        h("option", { value: -1, text: "as the file stands" }),
      );
      this.clip.value = String(studio.animation);
      this.setRange();
    });
    studio.on("time", (time) => {
      this.setRange();
      this.scrub.value = String(time);
      this.clock.textContent = `${time.toFixed(2)} s`;
      this.scrub.setAttribute("aria-valuetext", this.clock.textContent);
      this.keys.setTime(time);
      this.drawCursor();
    });
    studio.on("playing", (playing) => {
      this.play.replaceChildren(icon(playing ? "pause" : "play"));
      this.play.title = playing ? "Pause" : "Play";
      this.play.setAttribute("aria-label", this.play.title);
    });
    studio.on("clip", () => this.draw());
    studio.on("work", () => this.keys.draw());
    new ResizeObserver(() => this.resize()).observe(this.plotHost);
  }

  private setRange(): void {
    const { start, end } = this.studio.clipRange;
    if (this.scrub.min !== String(start) || this.scrub.max !== String(end)) {
      this.scrub.min = String(start);
      this.scrub.max = String(end);
      this.keys.draw();
    }
    this.scrub.disabled = this.play.disabled = end <= start;
  }

  // ---- the volume ----

  private draw(): void {
    const { clip } = this.studio;
    this.note.textContent =
      clip !== null
        ? ""
        : this.studio.animation < 0
          ? "No animation: the volume of this pose is told under Body."
          : "Measuring the clip...";
    if (clip === null) {
      this.plot?.destroy();
      this.plot = null;
      return;
    }
    const first = clip.target[0] || 1;
    const per = (values: Float64Array): number[] => Array.from(values, (value) => 100 * (value / first - 1));
    const data: uPlot.AlignedData = [
      Array.from(clip.times),
      per(clip.plain),
      per(clip.target),
      per(clip.corrected),
    ];
    if (this.plot === null) {
      this.plot = this.make(data);
      this.connectPlot();
    } else {
      this.plot.setData(data);
    }
    this.drawCursor();
  }

  private make(data: uPlot.AlignedData): uPlot {
    const style = getComputedStyle(document.documentElement);
    const color = (name: string): string => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color("--muted"),
      grid: { stroke: color("--line"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui",
    };
    return new uPlot(
      {
        width: Math.max(120, this.plotHost.clientWidth),
        height: Math.max(70, this.plotHost.clientHeight),
        legend: { show: false },
        cursor: { show: false },
        padding: [6, gutter.right, 0, 0],
        scales: { x: { time: false } },
        axes: [
          { ...axis, size: 20, gap: 2, values: (_, ticks) => ticks.map((tick) => `${tick} s`) },
          { ...axis, size: gutter.left, gap: 4, space: 24, values: (_, ticks) => ticks.map((tick) => `${tick} %`) },
        ],
        series: [
          {},
          { label: "plain", stroke: color("--plain"), width: 1.5, points: { show: false } },
          { label: "target", stroke: color("--muted"), width: 5, alpha: 0.35, points: { show: false } },
          { label: "corrected", stroke: color("--accent"), width: 2, points: { show: false } },
        ],
      },
      data,
      this.plotHost,
    );
  }

  /** Colours belong to the theme. */
  redraw(): void {
    this.plot?.destroy();
    this.plot = null;
    this.draw();
  }

  private resize(): void {
    if (this.plotHost.clientWidth > 0 && this.plotHost.clientHeight > 0) {
      this.plot?.setSize({ width: this.plotHost.clientWidth, height: Math.max(70, this.plotHost.clientHeight) });
      this.drawCursor();
    }
    this.keys.draw();
  }

  private connectPlot(): void {
    const over = this.plot!.over;
    over.append(h("div", { class: "timecursor" }));
    drag(over, (event) => {
      const move = (moved: PointerEvent): void => {
        const box = over.getBoundingClientRect();
        this.studio.setPlaying(false);
        this.studio.seek(this.plot!.posToVal(moved.clientX - box.left, "x"));
      };
      move(event);
      return move;
    });
  }

  private drawCursor(): void {
    const cursor = this.plotHost.querySelector<HTMLElement>(".timecursor");
    if (cursor !== null && this.plot !== null) {
      cursor.style.left = `${this.plot.valToPos(this.studio.time, "x")}px`;
    }
  }
}

/** Keys of the volume to keep: sideways they are times, up and down factors. */
class BreathingKeys {
  private readonly view = svg("svg", { class: "keys", role: "group", "aria-label": "Breathing keys" });
  private readonly line = svg("polyline", { class: "breath" });
  private readonly cursor = svg("line", { class: "cursor", y1: 0, y2: keyHeight });
  private readonly group = svg("g");
  private gestures = 0;

  constructor(
    private readonly studio: Studio,
    private readonly host: HTMLElement,
  ) {
    this.view.append(this.line, this.cursor, this.group);
    host.append(this.view);
  }

  private get keys(): TargetKey[] {
    return this.studio.work.settings.volume?.target ?? [];
  }

  private put(label: string, keys: TargetKey[], key: string | null): void {
    const { settings } = this.studio.work;
    const volume = { ...settings.volume, target: keys };
    if (keys.length === 0) {
      delete (volume as { target?: unknown }).target;
    }
    this.studio.setSettings(label, { ...settings, volume }, key);
  }

  /** At the time of the cursor, with the factor that is there now. */
  addHere(): void {
    const time = Math.round(this.studio.time * 1000) / 1000;
    if (this.keys.some((key) => Math.abs(key.time - time) < 1e-3)) {
      this.studio.tell("told", {
        text: "There is a breathing key at this time; drag it up or down.",
        kind: "note",
      });
      return;
    }
    const scale = this.keys.length === 0 ? 1.05 : this.scaleAt(time);
    this.put(
      "Add a breathing key",
      [...this.keys, { time, scale: Math.round(scale * 1000) / 1000 }].sort((a, b) => a.time - b.time),
      null,
    );
  }

  private scaleAt(time: number): number {
    const { keys } = this;
    const after = keys.findIndex((key) => key.time > time);
    if (after < 0) {
      return keys[keys.length - 1]!.scale;
    }
    if (after === 0) {
      return keys[0]!.scale;
    }
    const a = keys[after - 1]!,
      b = keys[after]!;
    return a.scale + ((time - a.time) / (b.time - a.time)) * (b.scale - a.scale);
  }

  private get width(): number {
    return Math.max(100, this.host.clientWidth);
  }

  private toX(time: number): number {
    const { start, end } = this.studio.clipRange;
    return gutter.left + ((time - start) / (end - start || 1)) * (this.width - gutter.left - gutter.right);
  }

  /** From half to one and a half times the volume. */
  private toY(scale: number): number {
    return keyHeight / 2 - (scale - 1) * 2 * (keyHeight / 2 - 5);
  }

  setTime(time: number): void {
    const x = String(this.toX(time));
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }

  draw(): void {
    const { keys } = this;
    this.host.classList.toggle("none", keys.length === 0); // first: what is not shown has no width
    this.view.setAttribute("viewBox", `0 0 ${this.width} ${keyHeight}`);
    this.view.setAttribute("width", String(this.width));
    while (this.group.childElementCount > keys.length) {
      this.group.lastElementChild!.remove();
    }
    while (this.group.childElementCount < keys.length) {
      this.group.append(this.makeHandle(this.group.childElementCount));
    }
    keys.forEach((key, i) => {
      const handle = this.group.children[i]!;
      handle.setAttribute("transform", `translate(${this.toX(key.time)} ${this.toY(key.scale)})`);
      handle.setAttribute("aria-label", `Breathing key at ${key.time} s`);
      handle.setAttribute("aria-valuenow", String(key.scale));
      handle.setAttribute("aria-valuetext", `${(100 * key.scale).toFixed(1)} % at ${key.time} s`);
      handle.querySelector("title")!.textContent =
        `${(100 * key.scale).toFixed(1)} % at ${key.time} s; Delete removes it`;
    });
    const points =
      keys.length > 0
        ? [
            [gutter.left, this.toY(keys[0]!.scale)],
            ...keys.map((key) => [this.toX(key.time), this.toY(key.scale)]),
            [this.width - gutter.right, this.toY(keys[keys.length - 1]!.scale)],
          ]
        : [];
    this.line.setAttribute("points", points.map((point) => point.join(",")).join(" "));
    this.setTime(this.studio.time);
  }

  private move(index: number, time: number, scale: number, key: string): void {
    const { start, end } = this.studio.clipRange;
    const { keys } = this;
    const low = index > 0 ? keys[index - 1]!.time + 0.01 : start,
      high = index < keys.length - 1 ? keys[index + 1]!.time - 0.01 : end;
    const moved = {
      time: Math.round(Math.max(low, Math.min(high, time)) * 1000) / 1000,
      scale: Math.round(Math.max(0.5, Math.min(1.5, scale)) * 1000) / 1000,
    };
    this.put(
      "Move a breathing key",
      keys.map((old, i) => (i === index ? moved : old)),
      key,
    );
  }

  private makeHandle(index: number): SVGGElement {
    const handle = svg(
      "g",
      { class: "key", tabindex: "0", role: "slider" },
      svg("path", { d: "M0-6L6 0 0 6-6 0z" }),
      svg("title"),
    );
    drag(
      handle,
      (event) => {
        event.stopPropagation();
        handle.focus();
        this.gestures += 1;
        const key = `breath ${this.gestures}`,
          from = { x: event.clientX, y: event.clientY },
          old = this.keys[index]!;
        const { start, end } = this.studio.clipRange;
        const perPixel = (end - start) / (this.width - gutter.left - gutter.right);
        return (moved) =>
          this.move(
            index,
            old.time + (moved.clientX - from.x) * perPixel,
            old.scale - (moved.clientY - from.y) * 0.005,
            key,
          );
      },
      () => this.studio.history.seal(),
    );
    handle.addEventListener("keydown", (event) => {
      const { time, scale } = this.keys[index]!;
      const moves: Record<string, [number, number]> = {
        ArrowLeft: [-0.02, 0],
        ArrowRight: [0.02, 0],
        ArrowUp: [0, 0.005],
        ArrowDown: [0, -0.005],
      };
      const move = moves[event.key];
      if (move !== undefined) {
        this.move(index, time + move[0], scale + move[1], `breath keys ${index}`);
      } else if (event.key === "Delete" || event.key === "Backspace") {
        this.put(
          "Delete a breathing key",
          this.keys.filter((_, i) => i !== index),
          null,
        );
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
    return handle;
  }
}
