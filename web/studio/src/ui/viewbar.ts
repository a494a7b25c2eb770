// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What lies over the view: which skins are compared and how, what colours say, what is drawn on
// top, the wiper, and the drawing of the cut.

import type { BaseSkin } from "../engine/messages";
import type { Compare, Show, SkinName, Studio, View } from "../model/studio";
import { legendGradient } from "../view/colors";
import type { Stage } from "../view/stage";
import { axisNames } from "../model/profiles";
import { button, drag, h, segmented, svg } from "./dom";

const shows: [Show, string][] = [
  ["skin", "Skin"],
  ["gamma", "Gamma of the joint"],
  ["displacement", "Displacement"],
  ["weights", "Weights of the joint"],
  ["turned", "Turned faces"],
];
const skinWords: Record<SkinName, string> = {
  linear: "linear",
  "dual-quaternion": "dual quaternion",
  corrected: "corrected",
};

export class ViewBar {
  readonly element: HTMLElement;
  private readonly labels = h("div", { class: "panelabels" });
  private readonly wiper = h("div", {
    class: "wiper",
    role: "slider",
    tabindex: "0",
    "aria-label": "Wiper",
    "aria-valuemin": "0",
    "aria-valuemax": "100",
  });
  private readonly legend = h("div", { class: "legend", hidden: true });
  private readonly cut = h("div", { class: "cut", hidden: true });
  private readonly outline = svg("svg", {
    viewBox: "-1 -1 2 2",
    class: "outline",
    role: "img",
    "aria-label": "Section",
  });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly compare;
  private readonly show = h(
    "select",
    { "aria-label": "Colours" },
    ...shows.map(([value, text]) => h("option", { value, text })),
  );
  private readonly other = h(
    "select",
    { "aria-label": "Compare with" },
    ...(["linear", "dual-quaternion"] as const).map((value) => h("option", { value, text: skinWords[value] })),
  );
  private readonly only = h(
    "select",
    { "aria-label": "Which skin" },
    ...(["corrected", "linear", "dual-quaternion"] as const).map((value) =>
      h("option", { value, text: skinWords[value] }),
    ),
  );
  private readonly toggles = new Map<keyof View, HTMLButtonElement>();

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
    host: HTMLElement,
  ) {
    this.compare = segmented<Compare>(
      "Comparison",
      [
        ["one", "One"],
        ["side", "Side by side"],
        ["wiper", "Wiper"],
      ],
      (compare) => studio.setView({ compare }),
    );
    const toggle = (
      key: keyof View & ("bones" | "axes" | "cut" | "texture" | "wires"),
      label: string,
    ): HTMLButtonElement => {
      const made = button(label, null, () => studio.setView({ [key]: !studio.view[key] }), {
        class: "toggle",
        "data-test": `toggle-${key}`,
      });
      this.toggles.set(key, made);
      return made;
    };
    const gizmo = button(
      "Gizmo",
      null,
      () => {
        stage.setGizmo(!stage.isGizmoOn);
        gizmo.setAttribute("aria-pressed", String(stage.isGizmoOn));
      },
      { class: "toggle", "aria-pressed": "true" },
    );
    this.element = h("div", { class: "viewbar" }, this.compare.element, this.only, this.other, this.show);
    const toggles = h(
      "div",
      { class: "toggles", role: "group", "aria-label": "Shown in the view" },
      toggle("bones", "Bones"),
      toggle("axes", "Axes"),
      toggle("cut", "Cut"),
      toggle("texture", "Texture"),
      toggle("wires", "Wires"),
      gizmo,
      button("Show all", "fit", () => stage.frameAll(), { bare: true }),
    );
    this.buildCut();
    host.append(toggles, this.labels, this.wiper, this.legend, this.cut, this.tip);
    this.show.addEventListener("change", () => studio.setView({ show: this.show.value as Show }));
    this.other.addEventListener("change", () => studio.setView({ other: this.other.value as BaseSkin }));
    this.only.addEventListener("change", () => studio.setView({ only: this.only.value as SkinName }));
    this.connectWiper(host);
    stage.onHover = (joint, x, y) => this.showTip(joint, x, y);
    studio.on("view", () => this.read());
    studio.on("frame", () => this.readFrame());
    this.read();
  }

  private showTip(joint: number, x: number, y: number): void {
    this.tip.hidden = joint < 0;
    if (joint >= 0) {
      this.tip.textContent = this.studio.character?.joints[joint]?.name ?? "";
      this.tip.style.transform = `translate(${x + 14}px, ${y - 10}px)`;
    }
  }

  // ---- the wiper ----

  private connectWiper(host: HTMLElement): void {
    const set = (wiper: number): void => this.studio.setView({ wiper: Math.max(0, Math.min(1, wiper)) });
    drag(this.wiper, () => (moved) => {
      const box = host.getBoundingClientRect();
      set((moved.clientX - box.left) / box.width);
    });
    this.wiper.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowLeft" ? -0.02 : event.key === "ArrowRight" ? 0.02 : 0;
      if (step !== 0) {
        event.preventDefault();
        set(this.studio.view.wiper + step);
      }
    });
  }

  // ---- the cut ----

  private buildCut(): void {
    const axis = segmented<"0" | "1" | "2">(
      "Cut across",
      [
        ["0", axisNames[0]],
        ["1", axisNames[1]],
        ["2", axisNames[2]],
      ],
      (value) => this.studio.setView({ cutAxis: Number(value) as 0 | 1 | 2 }),
    );
    const offset = h("input", {
      type: "range",
      min: "-1",
      max: "1",
      step: "0.01",
      value: "0",
      "aria-label": "Place of the cut",
    });
    offset.addEventListener("input", () => this.studio.setView({ cutOffset: Number(offset.value) }));
    this.cut.append(
      this.outline,
      h("div", { class: "row" }, axis.element, offset),
      h("p", { class: "key" }, h("i", { class: "plain" }), "linear ", h("i", { class: "corrected" }), "corrected"),
    );
    this.studio.on("view", (view) => axis.set(String(view.cutAxis) as "0"));
    axis.set("0");
  }

  private drawOutline(): void {
    const { outlines } = this.stage.overlay;
    if (outlines === null) {
      this.outline.replaceChildren();
      return;
    }
    let reach = 0.05;
    for (const pieces of [outlines.linear, outlines.corrected]) {
      pieces.forEach((value) => (reach = Math.max(reach, Math.abs(value))));
    }
    reach = Math.min(reach, 1.3); // about the joint, where the outline goes on round the body
    this.outline.setAttribute("viewBox", `${-1.1 * reach} ${-1.1 * reach} ${2.2 * reach} ${2.2 * reach}`);
    const path = (pieces: Float32Array): string => {
      let d = "";
      for (let i = 0; i + 3 < pieces.length; i += 4) {
        d += `M${pieces[i]!.toFixed(4)} ${(-pieces[i + 1]!).toFixed(4)}L${pieces[i + 2]!.toFixed(4)} ${(-pieces[i + 3]!).toFixed(4)}`;
      }
      return d;
    };
    this.outline.replaceChildren(
      svg("path", { class: "plain", d: path(outlines.linear), "stroke-width": reach * 0.018 }),
      svg("path", { class: "corrected", d: path(outlines.corrected), "stroke-width": reach * 0.024 }),
    );
  }

  // ---- what is so ----

  private read(): void {
    const { view } = this.studio;
    this.compare.set(view.compare);
    this.show.value = view.show;
    this.other.value = view.other;
    this.only.value = view.only;
    this.other.hidden = view.compare !== "wiper";
    this.only.hidden = view.compare !== "one";
    this.wiper.hidden = view.compare !== "wiper";
    this.wiper.style.left = `${100 * view.wiper}%`;
    this.wiper.setAttribute("aria-valuenow", String(Math.round(100 * view.wiper)));
    this.cut.hidden = !view.cut;
    for (const [key, made] of this.toggles) {
      made.setAttribute("aria-pressed", String(view[key]));
    }
    this.writeLabels();
  }

  private writeLabels(): void {
    const { view, volumes } = this.studio;
    const off = (value: number): string => {
      const percent = 100 * (value / (volumes?.target || 1) - 1);
      return `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(2)} %`;
    };
    const words = (skin: SkinName): string =>
      volumes === null || skin === "dual-quaternion"
        ? skinWords[skin]
        : `${skinWords[skin]} ${off(skin === "corrected" ? volumes.corrected : volumes.plain)}`;
    const panes = view.compare === "one" ? [] : this.stage.panes;
    this.labels.replaceChildren(
      ...panes.map((pane, i) =>
        h("span", {
          text: words(pane.skin),
          class: view.compare === "wiper" && i === 1 ? "right" : "",
          style:
            view.compare === "wiper"
              ? i === 0
                ? "left:0"
                : "right:0"
              : `left:${100 * pane.left}%;width:${100 * pane.width}%`,
        }),
      ),
    );
  }

  private readFrame(): void {
    const { view } = this.studio;
    this.writeLabels();
    this.drawOutline();
    const { skins } = this.stage;
    this.legend.hidden = view.show === "skin";
    if (view.show === "turned") {
      this.legend.replaceChildren(
        h("span", {
          text: skins.turnedCount === 1 ? "1 face inside out" : `${skins.turnedCount} faces inside out`,
        }),
      );
    } else if (view.show !== "skin") {
      const joint = this.studio.character?.joints[this.studio.selected]?.name ?? "no joint";
      const most =
        view.show === "displacement"
          ? `${((100 * skins.legendMost) / (this.studio.character?.bounds.diagonal || 1)).toFixed(2)} % of the size`
          : "1";
      this.legend.replaceChildren(
        h("span", { text: view.show === "displacement" ? "0" : `${joint}: 0` }),
        h("i", { style: `background:${legendGradient()}` }),
        h("span", { text: most }),
      );
    }
  }
}
