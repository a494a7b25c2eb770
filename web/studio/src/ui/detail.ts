// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Rarer settings of the whole character as plain fields: paint, wrinkles, refinement, the local
// method. What has no field, such as regions of the local method, stays as it was loaded.

import GUI from "lil-gui";
import type { Controller } from "lil-gui";
import type { Settings, VolumeSettings } from "turgor";
import type { Studio } from "../model/studio";
import { h, Watch, without } from "./dom";

type Value = string | number | boolean;
type Group = "local" | "refine";

/** A key of an object of the settings, which is left out where it has its default. */
interface Field {
  key: string;
  name: string;
  initial: Value;
  /** Words to choose from, or the range and the step of a number. */
  choice?: string[];
  range?: [number, number, number];
}

const groups: Record<Group, Field[]> = {
  local: [
    { key: "map", name: "map", initial: "organic", choice: ["organic", "rubber", "uniform"] },
    { key: "scope", name: "scope", initial: "regions", choice: ["regions", "global"] },
    { key: "edges", name: "edges", initial: "blended", choice: ["blended", "still"] },
    { key: "loss", name: "loss", initial: "closed", choice: ["closed", "prisms"] },
    { key: "alpha", name: "alpha", initial: 1, range: [0, 8, 0.05] },
    { key: "beta", name: "beta", initial: 1, range: [0, 8, 0.05] },
    { key: "parts", name: "parts", initial: 1, range: [1, 16, 1] },
    { key: "repeats", name: "repeats", initial: 0, range: [0, 16, 1] },
    { key: "exact", name: "meet the volume", initial: false },
  ],
  refine: [
    { key: "threshold", name: "threshold", initial: 0.3, range: [0, 1, 0.01] },
    { key: "levels", name: "levels", initial: 1, range: [0, 4, 1] },
    { key: "smooth", name: "smooth", initial: false },
  ],
};

export class DetailFields {
  readonly element = h("div", { class: "details" });
  private readonly values: Record<string, Value> = { wrinkles: false, paint: "", mode: "exact", refine: false };
  private readonly guis: GUI[] = [];
  private readonly hosts: Record<Group, HTMLElement>;
  private readonly watch = new Watch();

  constructor(private readonly studio: Studio) {
    const common = h("div", { class: "fields" });
    this.hosts = { local: this.makeGroup("local"), refine: this.makeGroup("refine") };
    this.buildCommon(this.makeGui(common));
    this.element.append(
      h("h3", { text: "More" }),
      common,
      h("p", {
        class: "hint",
        text: "Paint is a vertex attribute, a channel such as COLOR_1.r, a group or a material, and says where skin may swell.",
      }),
      this.hosts.refine,
      this.hosts.local,
    );
    studio.on("work", () => this.read());
  }

  private makeGui(container: HTMLElement): GUI {
    const gui = new GUI({ container, autoPlace: false, title: "More" });
    this.guis.push(gui);
    return gui;
  }

  private change(label: string, settings: Settings): void {
    this.studio.setSettings(label, settings);
  }

  private buildCommon(gui: GUI): void {
    const { values } = this;
    gui
      .add(values, "mode", ["exact", "paper"])
      .name("exact method")
      .onChange((mode: "exact" | "paper") => this.change(`Exact method ${mode}`, this.withMode(mode)));
    gui
      .add(values, "paint")
      .name("paint")
      .onFinishChange((paint: string) => this.change("Paint", this.withPaint(paint.trim())));
    this.addSwitch(gui, "wrinkles", "wrinkles", { wrinkles: "auto" });
    this.addSwitch(gui, "refine", "refine folds", { refine: {} });
  }

  /** On: with these settings. Off: without the key. */
  private addSwitch(gui: GUI, key: "wrinkles" | "refine", name: string, on: Settings): void {
    gui
      .add(this.values, key)
      .name(name)
      .onChange((isOn: boolean) => {
        const { settings } = this.studio.work;
        this.change(`${name} ${isOn ? "on" : "off"}`, isOn ? { ...settings, ...on } : without(settings, key));
      });
  }

  /** Contact does not go with the published method, whose file must not name it. */
  private withMode(mode: "exact" | "paper"): Settings {
    const { settings } = this.studio.work;
    const volume: VolumeSettings = settings.volume ?? {};
    return {
      ...settings,
      volume: mode === "paper" ? { ...without(volume, "contact"), mode } : without(volume, "mode"),
    };
  }

  private withPaint(paint: string): Settings {
    const { settings } = this.studio.work;
    const volume: VolumeSettings = settings.volume ?? {};
    const isNone = paint === "null"; // 1 all over, whatever the character carries
    return {
      ...settings,
      volume: paint === "" ? without(volume, "paint") : { ...volume, paint: isNone ? null : paint },
    };
  }

  // ---- objects of the settings ----

  private objectOf(group: Group): Record<string, unknown> | undefined {
    const { settings } = this.studio.work;
    return group === "local" ? settings.volume?.local : settings.refine;
  }

  private withObject(group: Group, object: Record<string, unknown>): Settings {
    const { settings } = this.studio.work;
    return group === "local"
      ? { ...settings, volume: { ...settings.volume, local: object } }
      : { ...settings, refine: object };
  }

  /** Each change makes the rig anew, so a slider counts once it is let go. */
  private makeGroup(group: Group): HTMLElement {
    const fields = h("div", { class: "fields" });
    const title = group === "local" ? "The local method" : "Refinement";
    const host = h("section", { hidden: true }, h("h3", { text: title }), fields);
    const gui = this.makeGui(fields);
    for (const field of groups[group]) {
      const key = `${group}.${field.key}`;
      this.values[key] = field.initial;
      const controller: Controller =
        field.range !== undefined
          ? gui.add(this.values, key, ...field.range)
          : field.choice !== undefined
            ? gui.add(this.values, key, field.choice)
            : gui.add(this.values, key);
      controller.name(field.name).onFinishChange((value: Value) => {
        const old = this.objectOf(group) ?? {};
        this.change(
          `${field.name} ${String(value)}`,
          this.withObject(group, value === field.initial ? without(old, field.key) : { ...old, [field.key]: value }),
        );
      });
    }
    return host;
  }

  private read(): void {
    const { settings } = this.studio.work;
    const { volume } = settings;
    const { wrinkles, refine } = settings;
    if (!this.watch.isOther(wrinkles, refine, volume?.method, volume?.mode, volume?.local, volume?.paint)) {
      return; // a curve is dragged
    }
    Object.assign(this.values, {
      mode: volume?.mode ?? "exact",
      paint: volume?.paint === null ? "null" : (volume?.paint ?? ""),
      wrinkles: wrinkles !== undefined && wrinkles.length > 0,
      refine: refine !== undefined,
    });
    for (const group of ["local", "refine"] as const) {
      const object = this.objectOf(group) ?? {};
      for (const field of groups[group]) {
        this.values[`${group}.${field.key}`] = (object[field.key] as Value | undefined) ?? field.initial;
      }
    }
    this.hosts.local.hidden = volume?.method !== "local";
    this.hosts.refine.hidden = refine === undefined;
    this.guis.forEach((gui) => gui.controllersRecursive().forEach((controller) => controller.updateDisplay()));
  }
}
