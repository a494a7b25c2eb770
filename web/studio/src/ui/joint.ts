// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The selected joint: its profile as curves, shares and numbers; and its rotation.

import GUI from "lil-gui";
import type { Curve, Profile, ProfileKind, Vec3 } from "turgor";
import { Euler, Quaternion as Turn } from "three";
import type { Quaternion } from "../engine/messages";
import {
  axisNames,
  findAlike,
  hasFolds,
  hasShape,
  kinds,
  mirrorProfile,
  mostGain,
  toCenter,
  toVector,
  withProfiles,
} from "../model/profiles";
import type { Studio } from "../model/studio";
import { CurveEditor } from "./curves";
import { button, h } from "./dom";
import { ShareTriangle } from "./triangle";

const degrees = 180 / Math.PI;

export class JointPanel {
  readonly element = h("div", { class: "jointpanel" });
  private readonly title = h("h2", { class: "jointname" });
  private readonly facts = h("p", { class: "facts" });
  private readonly kind = h(
    "select",
    { "aria-label": "Profile" },
    ...kinds.map((kind) => h("option", { value: kind, text: kind })),
    h("option", { value: "none", text: "none: others give it back" }),
  );
  private readonly layer = h("select", { "aria-label": "Which of its profiles" });
  private readonly snaps = h("input", { type: "checkbox" });
  private readonly hint = h("p", { class: "hint" });
  private readonly editor: CurveEditor;
  private readonly triangle: ShareTriangle;
  private readonly fieldsHost = h("div", { class: "fields" });
  private readonly turnHost = h("div", { class: "fields" });
  private readonly buttons: Record<
    "mirror" | "alike" | "copy" | "paste" | "clear" | "mirrorPose" | "resetPose" | "resetAll",
    HTMLButtonElement
  >;
  private fields: GUI | null = null;
  private fieldsOf = "";
  private turn: GUI;
  private readonly angles = { x: 0, y: 0, z: 0 };
  private angleOrigin: Turn | null = null;
  private copied: Profile[] | null = null;
  private shown: Profile[] = [];
  private at = 0;
  private curves: [Curve, Curve, Curve] = [[], [], []];
  private asks = 0;
  private values: Record<string, number | boolean> = {};
  private gestures = 0;

  constructor(private readonly studio: Studio) {
    this.editor = new CurveEditor({
      onChange: (axis, curve, label, key, time) => this.setCurve(axis, curve, label, key, time),
      onEnd: () => studio.history.seal(),
      askSilhouette: (axis, from, to, count) =>
        studio.selected < 0
          ? Promise.resolve(null)
          : studio.engine
              .call<Float32Array>("silhouette", studio.selected, axis, from, to, count)
              .catch(() => null),
    });
    this.triangle = new ShareTriangle(
      (mu, key, time) => this.edit("Share", (profile) => ({ ...profile, mu }), key, time),
      () => studio.history.seal(),
    );
    this.buttons = {
      mirror: button("To the other side", "mirror", () => this.applyTo("twin")),
      alike: button("To all like it", null, () => this.applyTo("alike")),
      copy: button("Copy", null, () => this.copy()),
      paste: button("Paste", null, () => this.paste()),
      clear: button("As the default", "reset", () => this.clear()),
      mirrorPose: button("Mirror the turn", "mirror", () => void this.mirrorPose()),
      resetPose: button("Reset", "reset", () => this.resetPose(false)),
      resetAll: button("Reset all", null, () => this.resetPose(true)),
    };
    this.turn = this.makeTurn();
    this.build();
    this.connect();
  }

  private build(): void {
    const { mirror, alike, copy, paste, clear, mirrorPose, resetPose, resetAll } = this.buttons;
    this.element.append(
      h("header", {}, this.title, this.facts),
      h(
        "div",
        { class: "row" },
        h("label", { class: "grow" }, h("span", { text: "Profile" }), this.kind),
        this.layer,
        h("label", { class: "check", title: "Also while Shift is held" }, this.snaps, "Snap"),
      ),
      this.hint,
      this.editor.element,
      h(
        "section",
        { class: "split" },
        h("div", {}, h("h3", { text: "Shares" }), this.triangle.element),
        h("div", { class: "grow" }, h("h3", { text: "Shape" }), this.fieldsHost),
      ),
      h("div", { class: "row wrap" }, mirror, alike, copy, paste, clear),
      h("h3", { text: "Turn" }),
      this.turnHost,
      h("div", { class: "row wrap" }, mirrorPose, resetPose, resetAll),
    );
    this.snaps.addEventListener("change", () => this.editor.setSnaps(this.snaps.checked));
    this.kind.addEventListener("change", () => this.setKind(this.kind.value as ProfileKind | "none"));
    this.layer.addEventListener("change", () => {
      this.at = Number(this.layer.value);
      this.show();
    });
  }

  private connect(): void {
    this.studio.on("selection", (joint) => {
      this.at = 0;
      this.shown = [];
      this.angleOrigin = null;
      this.element.classList.toggle("nothing", joint < 0);
      this.describe();
      this.editor.redrawLimbs();
    });
    this.studio.on("profiles", (profiles) => {
      this.shown = profiles;
      this.at = Math.min(this.at, Math.max(0, profiles.length - 1));
      this.show();
    });
    this.studio.on("frame", () => this.showTurn());
    this.studio.on("character", () => this.describe());
  }

  // ---- what is shown ----

  private get joint() {
    return this.studio.character?.joints[this.studio.selected];
  }

  private describe(): void {
    const { joint } = this;
    this.title.textContent = joint?.name ?? "Choose a joint";
    this.facts.textContent =
      joint === undefined
        ? "Click one in the view or in the list."
        : joint.bends
          ? `bends up to ${Math.round(joint.swing * degrees)}°, limb ${(joint.radius / (joint.boneLength || 1)).toFixed(2)} of a bone thick`
          : "no skin bends with it";
    const twin = joint !== undefined && joint.twin >= 0 ? this.studio.character!.joints[joint.twin]! : null;
    const alike = joint !== undefined ? findAlike(this.studio.character!.joints, joint.index) : [];
    this.buttons.mirror.disabled = this.buttons.mirrorPose.disabled = twin === null;
    this.buttons.mirror.title = twin !== null ? `Give ${twin.name} the same, mirrored` : "It has no other side";
    this.buttons.mirrorPose.title = twin !== null ? `Turn ${twin.name} the same, mirrored` : "It has no other side";
    this.buttons.alike.disabled = alike.length === 0;
    this.buttons.alike.title =
      alike.length > 0
        ? `Give the same to ${alike.length}: ${alike
            .slice(0, 8)
            .map((j) => this.studio.character!.joints[j]!.name)
            .join(", ")}${alike.length > 8 ? "..." : ""}`
        : "No joint is like it";
    this.buttons.paste.disabled = this.copied === null || joint === undefined;
    for (const each of [this.buttons.copy, this.buttons.clear, this.buttons.resetPose]) {
      each.disabled = joint === undefined;
    }
  }

  private get profile(): Profile | undefined {
    return this.shown[this.at];
  }

  private show(): void {
    const { profile } = this;
    const kind: ProfileKind | "none" = profile?.profile ?? (this.shown.length === 0 ? "none" : "organic");
    this.kind.value = kind;
    this.kind.disabled = this.studio.selected < 0;
    this.layer.replaceChildren(
      ...this.shown.map((each, i) => h("option", { value: i, text: `${i + 1}: ${each.profile}` })),
    );
    this.layer.hidden = this.shown.length < 2;
    this.layer.value = String(this.at);
    this.triangle.setShares(
      profile?.mu ?? [1 / 3, 1 / 3, 1 / 3],
      kind !== "organic" && kind !== "none" && this.at === 0,
    );
    // One line each: a drag must not move what it drags.
    this.hint.textContent =
      kind === "none"
        ? "What it loses, the other joints give back."
        : kind === "curves"
          ? "Click to add a point, Delete removes it."
          : "Drag a point to draw curves of your own.";
    this.showFields(kind);
    void this.showCurves(profile, kind);
  }

  private async showCurves(profile: Profile | undefined, kind: ProfileKind | "none"): Promise<void> {
    const ask = ++this.asks;
    if (kind === "curves" && profile?.curves !== undefined) {
      this.curves = profile.curves;
      this.editor.setCurves(this.curves, true);
      this.editor.element.dataset.kind = kind;
      return;
    }
    const made =
      profile !== undefined ? await this.studio.engine.toCurves<Profile>(profile).catch(() => null) : null;
    if (ask === this.asks) {
      this.curves = made?.curves ?? [[], [], []];
      this.editor.setCurves(this.curves, false);
      this.editor.element.dataset.kind = kind;
    }
  }

  // ---- changes ----

  private edit(label: string, change: (profile: Profile) => Profile, key: string | null, time?: number): void {
    const { joint } = this;
    if (joint === undefined) {
      return;
    }
    const profiles = this.shown.length > 0 ? [...this.shown] : [{ profile: "organic" as const }];
    profiles[this.at] = change(profiles[this.at]!);
    this.put(
      `${label} of ${joint.name}`,
      joint.name,
      profiles,
      key === null ? null : `${joint.index} ${key}`,
      time,
    );
  }

  private put(
    label: string,
    name: string,
    profiles: Profile[] | null | undefined,
    key: string | null,
    time?: number,
  ): void {
    // Shown at once, before the core has had its word.
    this.shown = profiles ?? [];
    this.studio.setSettings(label, withProfiles(this.studio.work.settings, name, profiles), key, time);
    this.show();
  }

  /** Dragging a preset's curve makes it curves. */
  private setCurve(axis: number, curve: Curve, label: string, key: string | null, time: number): void {
    const curves = [...this.curves] as [Curve, Curve, Curve];
    curves[axis] = curve;
    this.curves = curves;
    this.edit(
      label,
      (profile) => {
        const isDrawn = profile.profile === "curves";
        const mu =
          profile.mu !== undefined && profile.mu.some((share) => share > 0)
            ? profile.mu
            : ([0.34, 0.33, 0.33] as Vec3);
        return {
          profile: "curves",
          mu,
          gain: profile.gain,
          combine: profile.combine,
          paint: profile.paint,
          mirror: isDrawn ? profile.mirror : undefined,
          curves,
        };
      },
      key,
      time,
    );
  }

  private setKind(kind: ProfileKind | "none"): void {
    const { joint } = this;
    if (joint === undefined) {
      return;
    }
    if (kind === "none") {
      this.put(`No correction at ${joint.name}`, joint.name, null, null);
    } else if (kind === "curves") {
      this.setCurve(0, this.curves[0], "Curves", null, performance.now());
    } else {
      // A kind named alone starts from its own numbers.
      const { gain, combine, paint } = this.profile ?? {};
      const profiles: Profile[] = this.shown.length > 0 ? [...this.shown] : [{}];
      profiles[this.at] = { profile: kind, gain, combine, paint };
      this.put(`${kind} for ${joint.name}`, joint.name, profiles, null);
    }
  }

  private clear(): void {
    const { joint } = this;
    if (joint !== undefined) {
      this.studio.setSettings(
        `Default for ${joint.name}`,
        withProfiles(this.studio.work.settings, joint.name, undefined),
      );
    }
  }

  private copy(): void {
    this.copied = structuredClone(this.shown);
    this.describe();
  }

  private paste(): void {
    const { joint } = this;
    if (joint !== undefined && this.copied !== null) {
      this.put(`Paste to ${joint.name}`, joint.name, structuredClone(this.copied), null);
    }
  }

  private applyTo(whom: "twin" | "alike"): void {
    const { joint } = this;
    const joints = this.studio.character?.joints ?? [];
    if (joint === undefined) {
      return;
    }
    let { settings } = this.studio.work;
    const isLeft = (index: number): boolean => joints[index]!.position[0] < 0;
    const targets = whom === "twin" ? [joint.twin] : findAlike(joints, joint.index);
    for (const target of targets) {
      // On the other side what points along the bending axis is turned round.
      const isOther =
        whom === "twin" || (joint.twin >= 0 && joints[target]!.twin >= 0 && isLeft(target) !== isLeft(joint.index));
      const profiles = isOther
        ? this.shown.map(mirrorProfile)
        : this.shown.map((profile) => ({ ...profile, mirror: undefined }));
      settings = withProfiles(settings, joints[target]!.name, profiles);
    }
    settings = withProfiles(
      settings,
      joint.name,
      this.shown.map((profile) => ({ ...profile, mirror: undefined })),
    );
    this.studio.setSettings(
      whom === "twin"
        ? `${joint.name} to ${joints[joint.twin]!.name}`
        : `${joint.name} to ${targets.length} like it`,
      settings,
    );
  }

  // ---- numbers ----

  private showFields(kind: ProfileKind | "none"): void {
    this.readValues();
    if (this.fieldsOf !== kind + this.at) {
      this.fieldsOf = kind + this.at;
      this.makeFields(kind);
    } else {
      this.fields?.controllersRecursive().forEach((controller) => controller.updateDisplay());
    }
  }

  private readValues(): void {
    const profile = this.profile ?? {};
    const sigma = toVector(profile.sigma, 0.25),
      center = toCenter(profile.center);
    Object.assign(this.values, {
      gain: profile.gain ?? 1,
      drift: profile.drift ?? 0,
      folds: profile.folds ?? (profile.profile === "belly" ? 2 : 4),
      foldAngle: profile.foldAngle ?? 90,
      sigma0: sigma[0],
      sigma1: sigma[1],
      sigma2: sigma[2],
      center0: center[0],
      center1: center[1],
      center2: center[2],
    });
  }

  private makeFields(kind: ProfileKind | "none"): void {
    this.fields?.destroy();
    this.fields = new GUI({ container: this.fieldsHost, title: "Shape", autoPlace: false });
    const gui = this.fields;
    const add = (
      property: string,
      name: string,
      least: number,
      most: number,
      step: number,
      change: (profile: Profile, value: number) => Profile,
    ): void => {
      gui
        .add(this.values, property, least, most, step)
        .name(name)
        .onChange((value: number) =>
          this.edit(name, (profile) => change(profile, value), `${property} ${this.gestures}`),
        )
        .onFinishChange(() => {
          this.gestures += 1;
          this.studio.history.seal();
        });
    };
    if (kind === "none") {
      return;
    }
    const replace = (vector: Vec3, axis: number, value: number): Vec3 =>
      vector.map((old, k) => (k === axis ? value : old)) as Vec3;
    for (let axis = 0; axis < 3 && hasShape(kind); ++axis) {
      add(`sigma${axis}`, `width ${axisNames[axis]}`, 0.02, 1.5, 0.01, (profile, value) => ({
        ...profile,
        sigma: replace(toVector(profile.sigma, 0.25), axis, value),
      }));
    }
    for (let axis = 0; axis < 3 && hasShape(kind); ++axis) {
      add(`center${axis}`, `centre ${axisNames[axis]}`, -1.5, 1.5, 0.01, (profile, value) => ({
        ...profile,
        center: replace(toCenter(profile.center), axis, value),
      }));
    }
    if (hasFolds(kind)) {
      add("folds", "folds", 0, 12, 0.1, (profile, value) => ({ ...profile, folds: value }));
    }
    if (kind === "belly") {
      add("foldAngle", "fold angle", 5, 180, 1, (profile, value) => ({ ...profile, foldAngle: value }));
    }
    if (kind === "organic") {
      add("drift", "anatomic", 0, 1, 0.01, (profile, value) => ({ ...profile, drift: value }));
    }
    if (this.at === 0) {
      add("gain", "gain", 0, mostGain, 0.01, (profile, value) => ({ ...profile, gain: value }));
    }
  }

  // ---- the rotation ----

  /** By numbers, for hands that have no mouse: about the joint's own axes, on top of the animation. */
  private makeTurn(): GUI {
    const gui = new GUI({ container: this.turnHost, title: "Turn", autoPlace: false });
    for (const axis of ["x", "y", "z"] as const) {
      gui
        .add(this.angles, axis, -180, 180, 1)
        .name(`about ${axis}`)
        .onChange(() => this.setTurn())
        .onFinishChange(() => {
          this.gestures += 1;
          this.studio.history.seal();
        });
    }
    return gui;
  }

  private setTurn(): void {
    const { joint } = this;
    const { x, y, z } = this.angles;
    if (joint === undefined || this.angleOrigin === null) {
      return;
    }
    const turned = this.angleOrigin
      .clone()
      .multiply(new Turn().setFromEuler(new Euler(x / degrees, y / degrees, z / degrees)));
    this.studio.setPlaying(false);
    this.studio.setRotation(
      `Turn ${joint.name}`,
      joint.index,
      turned.toArray() as Quaternion,
      `turn by numbers ${joint.index} ${this.gestures}`,
    );
  }

  private showTurn(): void {
    const { frame, work, selected } = this.studio;
    if (frame?.rotation == null) {
      return;
    }
    const isTurned = work.rotations.has(selected);
    this.buttons.resetPose.disabled = !isTurned;
    this.buttons.resetAll.disabled = work.rotations.size === 0;
    const rotation = new Turn(...frame.rotation);
    if (!isTurned || this.angleOrigin === null) {
      this.angleOrigin = rotation;
      Object.assign(this.angles, { x: 0, y: 0, z: 0 });
    } else {
      const angles = new Euler().setFromQuaternion(this.angleOrigin.clone().invert().multiply(rotation));
      Object.assign(this.angles, {
        x: Math.round(angles.x * degrees),
        y: Math.round(angles.y * degrees),
        z: Math.round(angles.z * degrees),
      });
    }
    if (!this.turnHost.contains(document.activeElement)) {
      this.turn.controllersRecursive().forEach((controller) => controller.updateDisplay());
    }
  }

  private resetPose(isAll: boolean): void {
    this.angleOrigin = null;
    if (isAll) {
      this.studio.change("Reset all turns", { rotations: new Map() });
    } else if (this.joint !== undefined) {
      this.studio.setRotation(`Reset ${this.joint.name}`, this.joint.index, null);
    }
  }

  private async mirrorPose(): Promise<void> {
    const { joint } = this;
    const rotation = this.studio.frame?.rotation;
    if (joint === undefined || joint.twin < 0 || rotation == null) {
      return;
    }
    const mirrored = await this.studio.engine.call<Quaternion>("mirrorRotation", joint.index, rotation);
    const twin = this.studio.character!.joints[joint.twin]!;
    this.studio.setRotation(`Mirror the turn to ${twin.name}`, joint.twin, mirrored);
  }
}
