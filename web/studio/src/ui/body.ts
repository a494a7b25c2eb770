// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is said of the whole character: preset, skinning, contact, bones; and its flesh.

import GUI from "lil-gui";
import type { FleshElement, Profile, ProfileKind, Settings, Vec3 } from "turgor";
import { kinds } from "../model/profiles";
import type { Studio } from "../model/studio";
import { DetailFields } from "./detail";
import { button, h, Watch, without } from "./dom";

export class BodyPanel {
  readonly element = h("div", { class: "bodypanel" });
  private readonly host = h("div", { class: "fields" });
  private readonly preset = h("select", { "aria-label": "Preset of all joints" });
  private readonly gui: GUI;
  private readonly values = {
    skinning: "auto",
    method: "exact",
    profile: "organic",
    contact: true,
    gap: 0.02,
    bones: false,
  };
  private readonly facts = h("dl", { class: "facts" });
  private readonly watch = new Watch();

  constructor(private readonly studio: Studio) {
    this.gui = new GUI({ container: this.host, title: "Body", autoPlace: false });
    this.build();
    this.element.append(
      h("h2", { text: "Body" }),
      h("div", { class: "row" }, h("label", { class: "grow" }, h("span", { text: "Preset" }), this.preset)),
      h("p", {
        class: "hint",
        text: "A preset takes the place of the default and of all joints' own profiles. Undo brings them back.",
      }),
      this.host,
      h("h3", { text: "Volume in this frame" }),
      this.facts,
      new DetailFields(studio).element,
    );
    studio.on("work", () => this.read());
    studio.on("character", (character) =>
      this.preset.replaceChildren(
        h("option", { value: "", text: "Choose a preset" }),
        ...character.presets.map((name) => h("option", { value: name, text: name })),
      ),
    );
    studio.on("frame", () => this.tellVolumes());
    this.preset.addEventListener("change", () => void this.applyPreset());
  }

  private change(label: string, change: (settings: Settings) => Settings, key: string | null = null): void {
    this.studio.setSettings(label, change(this.studio.work.settings), key);
  }

  private build(): void {
    const { gui, values } = this;
    gui
      .add(values, "profile", [...kinds.filter((kind) => kind !== "curves")])
      .name("default profile")
      .onChange((kind: ProfileKind) =>
        this.change(`Default ${kind}`, (settings) => ({
          ...settings,
          volume: { ...settings.volume, default: { profile: kind } },
        })),
      );
    gui
      .add(values, "skinning", ["auto", "linear", "dual-quaternion", "blend"])
      .onChange((skinning: Settings["skinning"]) =>
        this.change(`Skinning ${skinning}`, (settings) =>
          skinning === "auto" ? without(settings, "skinning") : { ...settings, skinning },
        ),
      );
    gui
      .add(values, "method", ["exact", "local", "none"])
      .name("volume")
      .onChange((method: "exact" | "local" | "none") =>
        this.change(`Volume ${method}`, (settings) => ({
          ...settings,
          volume: { ...settings.volume, method },
        })),
      );
    gui
      .add(values, "contact")
      .name("contact")
      .onChange((isOn: boolean) =>
        this.change(`Contact ${isOn ? "on" : "off"}`, (settings) => ({
          ...settings,
          volume: { ...settings.volume, contact: isOn },
        })),
      );
    gui
      .add(values, "gap", 0, 0.5, 0.005)
      .name("contact gap")
      .onChange((gap: number) =>
        this.change(
          "Contact gap",
          (settings) => ({
            ...settings,
            volume: { ...settings.volume, contact: { gap } },
          }),
          "gap",
        ),
      )
      .onFinishChange(() => this.studio.history.seal());
    gui
      .add(values, "bones")
      .name("bones under the skin")
      .onChange((isOn: boolean) =>
        this.change(`Bones ${isOn ? "on" : "off"}`, (settings) =>
          isOn ? { ...settings, bones: "auto" } : without(settings, "bones"),
        ),
      );
  }

  private read(): void {
    const { settings } = this.studio.work;
    const { volume } = settings;
    const shown = [settings.skinning, settings.bones, volume?.method, volume?.mode, volume?.default, volume?.contact];
    if (!this.watch.isOther(...shown)) {
      return; // a curve is dragged
    }
    const first = (Array.isArray(volume?.default) ? volume?.default[0] : volume?.default) as Profile | undefined;
    Object.assign(this.values, {
      skinning: settings.skinning ?? "auto",
      method: volume?.method ?? "exact",
      profile: first?.profile ?? "organic",
      contact: volume?.contact !== false && (volume?.method ?? "exact") === "exact" && volume?.mode !== "paper",
      gap: typeof volume?.contact === "object" ? (volume.contact.gap ?? 0.02) : 0.02,
      bones: settings.bones !== undefined && settings.bones.length > 0,
    });
    this.gui.controllersRecursive().forEach((controller) => controller.updateDisplay());
  }

  private async applyPreset(): Promise<void> {
    const name = this.preset.value;
    this.preset.value = "";
    if (name !== "") {
      try {
        const settings = await this.studio.engine.preset<Settings>(name, this.studio.work.settings);
        this.studio.setSettings(`Preset ${name}`, settings);
      } catch (error) {
        this.studio.tell("told", { text: (error as Error).message, kind: "error" });
      }
    }
  }

  private tellVolumes(): void {
    const { volumes } = this.studio;
    if (volumes === null) {
      return;
    }
    const part = (value: number): string => {
      const off = 100 * (value / volumes.target - 1);
      return `${off >= 0 ? "+" : "−"}${Math.abs(off) < 1e-4 && off !== 0 ? Math.abs(off).toExponential(0) : Math.abs(off).toFixed(4)} %`;
    };
    const rows = [
      ["Target", volumes.target.toPrecision(6)],
      ["Plain", part(volumes.plain)],
      ["Corrected", part(volumes.corrected)],
    ];
    this.facts.replaceChildren(
      ...rows.flatMap(([name, value]) => [h("dt", { text: name }), h("dd", { text: value })]),
    );
  }
}

export class FleshPanel {
  readonly element = h("div", { class: "fleshpanel" });
  private readonly list = h("div", { class: "elements" });
  private readonly hint = h("p", { class: "hint" });
  private guis: GUI[] = [];
  private elements: FleshElement[] = [];
  private shape: string | null = null;
  private asks = 0;

  constructor(private readonly studio: Studio) {
    this.element.append(
      h("h2", { text: "Flesh" }),
      this.hint,
      h(
        "div",
        { class: "row wrap" },
        button("Add at the selected joint", "plus", () => this.add()),
        button("Find by names", null, () => void this.change("Flesh by names", "auto")),
        button("Shake", null, () => this.shake()),
      ),
      this.list,
    );
    studio.on("work", () => void this.read());
    studio.on("character", () => {
      this.shape = null; // whatever there is now, it is of another one
    });
  }

  private change(label: string, flesh: FleshElement[] | "auto", key: string | null = null): void {
    const { settings } = this.studio.work;
    this.studio.setSettings(label, flesh.length === 0 ? without(settings, "flesh") : { ...settings, flesh }, key);
  }

  /** After "auto" the core tells which there are. */
  private async read(): Promise<void> {
    const { flesh } = this.studio.work.settings;
    const ask = ++this.asks;
    if (flesh === "auto") {
      await new Promise((resolve) => setTimeout(resolve, 60)); // once a frame has applied it
    }
    const elements =
      flesh === "auto"
        ? await this.studio.engine.call<FleshElement[]>("fleshElements").catch(() => [])
        : (flesh ?? []);
    if (ask !== this.asks) {
      return;
    }
    this.elements = structuredClone(elements);
    this.hint.textContent =
      elements.length > 0
        ? "Move the character, or shake it, and tune while it swings."
        : flesh === "auto"
          ? "No joint is called like a belly, a thigh or an upper arm."
          : "Parts that swing after the skeleton: choose the joint that carries one, and add it.";
    const shape = elements.map((element) => `${element.name} ${element.driver}`).join();
    if (shape !== this.shape) {
      this.shape = shape;
      this.rebuild();
    } else {
      this.update();
    }
  }

  private rebuild(): void {
    this.guis.forEach((gui) => gui.destroy());
    this.list.replaceChildren();
    this.guis = this.elements.map((element, i) => this.makeFields(element, i));
  }

  private valuesOf(element: FleshElement): Record<string, number> {
    const spring = element.springs?.[0];
    return {
      frequency: element.frequency ?? spring?.frequency ?? 3,
      dampingRatio: element.dampingRatio ?? spring?.dampingRatio ?? 0.2,
      gravity: -(element.gravity?.[1] ?? 0),
      elongation: element.elongation ?? 1,
      flow: element.flow ?? 0.5,
      thickness: element.thickness ?? 0,
    };
  }

  private makeFields(element: FleshElement, index: number): GUI {
    const host = h("div", { class: "fields element" });
    const gui = new GUI({ container: host, title: element.name ?? element.driver, autoPlace: false });
    const values = this.valuesOf(element);
    const add = (
      property: string,
      name: string,
      least: number,
      most: number,
      step: number,
      change: (old: FleshElement, value: number) => FleshElement,
    ): void => {
      gui
        .add(values, property, least, most, step)
        .name(name)
        .onChange((value: number) => {
          const flesh = this.elements.map((old, i) => (i === index ? change(old, value) : old));
          this.change(`${name} of ${element.name ?? element.driver}`, flesh, `flesh ${index} ${property}`);
        })
        .onFinishChange(() => this.studio.history.seal());
    };
    const spring = (old: FleshElement, part: Partial<FleshElement>): FleshElement => ({
      ...without(old, "springs", "stiffness", "damping"),
      ...part,
    });
    add("frequency", "frequency", 0.2, 12, 0.05, (old, value) => spring(old, { frequency: value }));
    add("dampingRatio", "damping", 0, 1.5, 0.01, (old, value) => spring(old, { dampingRatio: value }));
    add("gravity", "gravity", -20, 20, 0.01, (old, value) => {
      const gravity: Vec3 = [old.gravity?.[0] ?? 0, -value, old.gravity?.[2] ?? 0];
      return gravity.some((part) => part !== 0) ? { ...old, gravity } : without(old, "gravity");
    });
    add("elongation", "elongation", 0.02, 1, 0.01, (old, value) => ({ ...old, elongation: value }));
    add("flow", "flow", 0, 1, 0.01, (old, value) => ({ ...old, flow: value }));
    host.append(
      button("Remove", "cross", () =>
        this.change(
          `Remove ${element.name ?? element.driver}`,
          this.elements.filter((_, i) => i !== index),
        ),
      ),
    );
    (gui as GUI & { values?: typeof values }).values = values;
    this.list.append(host);
    return gui;
  }

  private update(): void {
    this.guis.forEach((gui, i) => {
      Object.assign((gui as GUI & { values?: object }).values!, this.valuesOf(this.elements[i]!));
      gui.controllersRecursive().forEach((controller) => controller.updateDisplay());
    });
  }

  private add(): void {
    const joint = this.studio.character?.joints[this.studio.selected];
    if (joint === undefined || joint.children.length === 0) {
      this.studio.tell("told", {
        kind: "note",
        text:
          joint === undefined
            ? "Choose the joint that carries it first."
            : `${joint.name} has no joint after it; choose one that has.`,
      });
      return;
    }
    const names = new Set(this.elements.map((element) => element.name));
    let name = `${joint.name} flesh`;
    for (let i = 2; names.has(name); ++i) {
      name = `${joint.name} flesh ${i}`;
    }
    const driven = joint.children.map((child) => this.studio.character!.joints[child]!.name);
    this.change(`Add ${name}`, [
      ...this.elements,
      { name, driver: joint.name, driven, frequency: 3, dampingRatio: 0.2 },
    ]);
  }

  /** So that there is something to tune: the first element's driver is pushed and let go. */
  private shake(): void {
    const element = this.elements[0];
    const joint = this.studio.character?.joints.find((each) => each.name === element?.driver);
    if (joint !== undefined) {
      void this.studio.shake(joint.index);
    }
  }
}
