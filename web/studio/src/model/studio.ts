// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The state of the page. What an artist makes (settings and pose) goes through the history; where
// one looks does not. Parts of the page listen to topics and never to each other.

import type { FleshState, JointFrame, JointLoss, Profile, Settings, Volumes } from "turgor";
import { Engine } from "../engine/engine";
import type {
  BaseSkin,
  CharacterInfo,
  Channel,
  ClipMeasure,
  FrameAnswer,
  Quaternion,
  Source,
} from "../engine/messages";
import { History } from "./history";

/** What is undone and redone. Never changed in place. */
export interface Work {
  settings: Settings;
  /** By joint, in place of the animated rotation. */
  rotations: ReadonlyMap<number, Quaternion>;
}

export type Compare = "one" | "side" | "wiper";
export type Show = "skin" | Channel | "turned";
export type SkinName = BaseSkin | "corrected";

export interface View {
  compare: Compare;
  /** The other skin of the wiper; and the only one, without comparison, where not "corrected". */
  other: BaseSkin;
  only: SkinName;
  /** Where the wiper stands, 0 to 1. */
  wiper: number;
  show: Show;
  bones: boolean;
  axes: boolean;
  cut: boolean;
  cutAxis: 0 | 1 | 2;
  /** In bone lengths from the joint. */
  cutOffset: number;
  texture: boolean;
  wires: boolean;
}

export interface Topics {
  /** Another character, or another mesh of it. */
  character: CharacterInfo;
  /** Settings or pose became others, by whatever way. */
  work: Work;
  history: undefined;
  selection: number;
  time: number;
  playing: boolean;
  view: View;
  frame: FrameAnswer;
  /** The profiles of the selected joint, after patterns and defaults. */
  profiles: Profile[];
  clip: ClipMeasure | null;
  /** A word for the person at the page; `at`: where it happened. */
  told: { text: string; kind: "error" | "note"; at?: { x: number; y: number } };
  saved: undefined;
}

type Listener<T> = (value: T) => void;

/** Seconds after which springs at rest are not asked any more. */
const settleTime = 6;
/** Milliseconds. */
const measureEvery = 200;
/** Seconds, and radians. */
const shakeTime = 0.6,
  shakeAngle = 0.3;
/** Milliseconds without a change before the clip is measured anew. */
const measureDelay = 350;

export class Studio {
  readonly engine = new Engine();
  readonly history = new History<Work>({ settings: {}, rotations: new Map() }, "Start");
  character: CharacterInfo | null = null;
  source: Source | null = null;
  selected = -1;
  animation = -1;
  time = 0;
  playing = false;
  loops = true;
  speed = 1;
  profiles: Profile[] = [];
  clip: ClipMeasure | null = null;
  frame: FrameAnswer | null = null;
  volumes: Volumes | null = null;
  losses: JointLoss[] = [];
  flesh: FleshState[] = [];
  jointFrame: JointFrame | null = null;
  view: View = {
    compare: "one",
    other: "linear",
    only: "corrected",
    wiper: 0.5,
    show: "skin",
    bones: true,
    axes: true,
    cut: false,
    cutAxis: 0,
    cutOffset: 0,
    texture: true,
    wires: false,
  };

  private listeners: { [K in keyof Topics]?: Listener<Topics[K]>[] } = {};
  private sentSettings: Settings | null = null;
  private sentRotations: ReadonlyMap<number, Quaternion> | null = null;
  private isStale = false;
  /** The time or the animation is another than the last frame's. */
  private isMoved = false;
  private isLoading = 0;
  private lastMeasure = 0;
  private measureAgain = 0;
  private needsReset = false;
  private lastTick = 0;
  private waited = 0;
  private toldWarnings: string[] = [];
  private wasSwinging = false;
  private settleUntil = 0;
  private recycle: ArrayBuffer[] = [];
  private measureTimer = 0;
  /** A button is down: something is dragged. */
  private isHeld = false;
  private measuring: { cancel(): void } | null = null;
  private measuredSettings: Settings | null = null;
  private loads = 0;
  private shaking: { joint: number; rotation: Quaternion; begin: number } | null = null;
  /** Times of changes that no frame has shown yet, for the latency of a drag. */
  private changeTimes: number[] = [];
  private shownChanges: number[] = [];
  /** Milliseconds from a change to the screen, the last thousand. */
  readonly latencies: number[] = [];
  /** The same until the picture was handed to the browser, which shows it when it can. */
  readonly drawnLatencies: number[] = [];

  constructor() {
    this.engine.onFrame = (answer) => this.takeFrame(answer);
    this.engine.onFrameFailed = (message) => this.tell("told", { text: message, kind: "error" });
    this.engine.onLost = (message) => void this.recover(message);
    for (const name of ["pointerdown", "pointerup", "pointercancel"] as const) {
      window.addEventListener(name, () => (this.isHeld = name === "pointerdown"), true);
    }
  }

  // ---- topics ----

  on<K extends keyof Topics>(topic: K, listener: Listener<Topics[K]>): void {
    ((this.listeners[topic] ??= []) as Listener<Topics[K]>[]).push(listener);
  }

  tell<K extends keyof Topics>(topic: K, value: Topics[K]): void {
    for (const listener of (this.listeners[topic] ?? []) as Listener<Topics[K]>[]) {
      listener(value);
    }
  }

  // ---- a character ----

  /** The old one stays when the new one cannot be read. */
  async load(source: Source, at?: { x: number; y: number }): Promise<boolean> {
    const load = ++this.loads;
    this.isLoading += 1; // no frame of the old one is asked of the new one
    try {
      const character = await this.engine.load(source);
      if (load === this.loads) {
        this.take(character, source);
      }
      return true;
    } catch (error) {
      this.tell("told", { text: `${source.name}: ${(error as Error).message}`, kind: "error", at });
      return false;
    } finally {
      this.isLoading -= 1;
      this.pump();
    }
  }

  private take(character: CharacterInfo, source: Source): void {
    this.source = source;
    this.character = character;
    this.selected = -1;
    this.animation = character.animations.length > 0 ? 0 : -1;
    this.time = this.clipRange.start;
    this.playing = false;
    this.clip = null;
    this.recycle = [];
    this.isStale = this.isMoved = true;
    this.sentSettings = character.settings;
    this.sentRotations = null;
    this.measuredSettings = null;
    this.history.reset(`Open ${character.name}`, { settings: character.settings, rotations: new Map() });
    this.tell("character", character);
    this.tell("work", this.work);
    this.tell("history", undefined);
    this.tell("playing", false);
    this.tell("time", this.time);
    this.tell("clip", null);
    this.select(character.joints.find((joint) => joint.bends)?.index ?? -1);
    for (const warning of character.warnings.slice(0, 3)) {
      this.tell("told", { text: `${character.name}: ${warning}`, kind: "note" });
    }
    this.refresh();
    this.measureSoon();
  }

  private async recover(message: string): Promise<void> {
    this.tell("told", { text: `the core was started anew: ${message}`, kind: "error" });
    const { source, work } = this;
    if (source !== null) {
      this.isMoved = true;
      const character = await this.engine
        .load({ ...source, settings: JSON.stringify(work.settings) })
        .catch(() => null);
      if (character !== null && this.source === source) {
        this.sentSettings = work.settings;
        this.sentRotations = null;
        this.refresh();
      }
    }
  }

  // ---- what is made ----

  get work(): Work {
    return this.history.state;
  }

  /** @param key changes of one drag have the same */
  change(label: string, work: Partial<Work>, key: string | null = null, time = performance.now()): void {
    this.history.push(label, { ...this.work, ...work }, key);
    this.changeTimes.push(time);
    this.afterWork();
  }

  setSettings(label: string, settings: Settings, key: string | null = null, time?: number): void {
    this.change(label, { settings }, key, time);
  }

  setRotation(label: string, joint: number, rotation: Quaternion | null, key: string | null = null): void {
    const rotations = new Map(this.work.rotations);
    if (rotation === null) {
      rotations.delete(joint);
    } else {
      rotations.set(joint, rotation);
    }
    this.change(label, { rotations }, key);
  }

  go(index: number): void {
    if (this.history.go(index)) {
      this.afterWork();
    }
  }

  undo(): void {
    this.go(this.history.index - 1);
  }

  redo(): void {
    this.go(this.history.index + 1);
  }

  private afterWork(): void {
    this.refresh(); // first: the core works while the page is brought up to date
    this.tell("work", this.work);
    this.tell("history", undefined);
    this.measureSoon();
  }

  // ---- where one looks ----

  select(joint: number): void {
    this.selected = joint;
    this.profiles = [];
    this.tell("selection", joint);
    this.refresh();
    void this.askProfiles();
  }

  private async askProfiles(): Promise<void> {
    const joint = this.selected;
    if (joint < 0 || this.character === null) {
      this.tell("profiles", []);
      return;
    }
    const { settings } = this.work;
    const profiles = await this.engine.call<Profile[]>("profilesOf", joint).catch(() => null);
    // While a hand is still dragging, what it drew is ahead of the answer.
    if (profiles !== null && joint === this.selected && settings === this.work.settings) {
      this.profiles = profiles;
      this.tell("profiles", profiles);
    }
  }

  setView(view: Partial<View>): void {
    this.view = { ...this.view, ...view };
    this.tell("view", this.view);
    this.refresh();
  }

  // ---- time ----

  get clipRange(): { start: number; end: number } {
    const animation = this.character?.animations[this.animation];
    return animation !== undefined && animation.end > animation.start
      ? { start: Math.min(0, animation.start), end: animation.end }
      : { start: 0, end: 0 };
  }

  setAnimation(animation: number): void {
    this.animation = animation;
    this.time = this.clipRange.start;
    this.needsReset = this.isMoved = true;
    this.clip = null;
    this.measuredSettings = null;
    this.tell("clip", null);
    this.tell("time", this.time);
    this.refresh();
    this.measureSoon();
  }

  seek(time: number): void {
    const { start, end } = this.clipRange;
    this.time = Math.max(start, Math.min(end, time));
    this.isMoved = true;
    this.settleUntil = performance.now() + settleTime * 1000;
    this.tell("time", this.time);
    this.refresh();
  }

  setPlaying(playing: boolean): void {
    const { start, end } = this.clipRange;
    this.playing = playing && end > start;
    if (this.playing && this.time >= end) {
      this.time = start;
    }
    this.waited = 0;
    this.settleUntil = performance.now() + settleTime * 1000;
    this.tell("playing", this.playing);
    this.refresh();
  }

  /** Nothing is under way: what is seen, and what is told of it, is of the last change. */
  get isAtRest(): boolean {
    return (
      !this.engine.isBusy &&
      !this.isStale &&
      this.shownChanges.length === 0 &&
      this.isLoading === 0 &&
      this.frame?.volumes != null
    );
  }

  private advance(elapsed: number): void {
    const { start, end } = this.clipRange;
    let time = this.time + elapsed * this.speed;
    if (time > end) {
      time = this.loops ? start + ((time - start) % (end - start)) : end;
    }
    this.time = time;
    if (time >= end && !this.loops) {
      this.setPlaying(false);
    }
    this.tell("time", this.time);
    this.isStale = this.isMoved = true;
  }

  // ---- frames ----

  /** The skin on screen is not what it should be. */
  refresh(): void {
    this.isStale = true;
    this.pump();
  }

  /** Once for each picture of the screen. */
  tick(now: number): void {
    const elapsed = Math.min((now - this.lastTick) / 1000, 0.25);
    this.lastTick = now;
    const swings = this.flesh.length > 0 && now < this.settleUntil;
    if (this.playing) {
      if (!this.engine.isBusy) {
        // else time would run ahead of what is seen
        this.advance(elapsed + this.waited);
        this.waited = 0;
      } else {
        this.waited += elapsed;
      }
    } else if (swings) {
      this.waited += elapsed;
      this.isStale = this.wasSwinging = true;
    } else if (this.wasSwinging) {
      // at rest: the time is the timeline's again
      this.wasSwinging = false;
      this.isStale = this.isMoved = true;
    }
    this.pump();
  }

  private get wantedBases(): BaseSkin[] {
    const { compare, other, only, cut } = this.view;
    const wanted = new Set<BaseSkin>();
    if (compare === "side") {
      wanted.add("linear").add("dual-quaternion");
    } else if (compare === "wiper") {
      wanted.add(other);
    } else if (only !== "corrected") {
      wanted.add(only);
    }
    if (cut) {
      wanted.add("linear");
    }
    return [...wanted];
  }

  private pump(): void {
    if (!this.isStale || this.engine.isBusy || this.character === null || this.isLoading > 0) {
      return;
    }
    this.isStale = false;
    const { settings, rotations } = this.work;
    const { show } = this.view;
    const joint = this.selected;
    const hasOther = settings !== this.sentSettings,
      isShaken = this.shaking !== null;
    const hasTurned = rotations !== this.sentRotations || isShaken;
    this.engine.requestFrame({
      settings: hasOther ? JSON.stringify(settings) : undefined,
      pose: this.isMoved ? { animation: this.animation, time: this.time } : { wait: this.waited },
      rotations: hasTurned ? this.turnWith(rotations) : undefined,
      reset: this.needsReset,
      bases: this.wantedBases,
      channel: show === "displacement" || ((show === "gamma" || show === "weights") && joint >= 0) ? show : null,
      turned: show === "turned",
      measure: this.wantsMeasure(),
      joint,
      bones: this.view.bones && settings.bones !== undefined,
      recycle: this.recycle,
    });
    this.recycle = [];
    this.needsReset = false;
    this.isMoved = false;
    this.waited = 0;
    this.sentSettings = settings;
    this.sentRotations = isShaken ? null : rotations;
    this.shownChanges.push(...this.changeTimes);
    this.changeTimes = [];
    if (hasOther || hasTurned) {
      this.settleUntil = performance.now() + settleTime * 1000;
    }
  }

  /** Volumes take a pass or two more: so they are told a few times a second, and of the last frame of all. */
  private wantsMeasure(): boolean {
    const now = performance.now();
    window.clearTimeout(this.measureAgain);
    if (now - this.lastMeasure > measureEvery) {
      this.lastMeasure = now;
      return true;
    }
    this.measureAgain = window.setTimeout(() => this.refresh(), measureEvery);
    return false;
  }

  /** Pushes a joint to and fro for a moment, so that flesh swings; not a part of the work. */
  async shake(joint: number): Promise<void> {
    const rotation = await this.engine.call<Quaternion>("rotationOf", joint);
    const begin = performance.now();
    this.shaking = { joint, rotation, begin };
    this.settleUntil = begin + settleTime * 1000;
    this.refresh();
  }

  private turnWith(rotations: ReadonlyMap<number, Quaternion>): [number, Quaternion][] {
    const { shaking } = this;
    if (shaking === null) {
      return [...rotations];
    }
    const part = (performance.now() - shaking.begin) / (1000 * shakeTime);
    if (part >= 1) {
      this.shaking = null;
      return [...rotations];
    }
    const half = 0.5 * shakeAngle * Math.sin(4 * Math.PI * part) * (1 - part);
    const [x, y, z, w] = shaking.rotation,
      sine = Math.sin(half) / Math.sqrt(3),
      cosine = Math.cos(half);
    // The joint's own rotation, then a little about its (1, 1, 1).
    const turned: Quaternion = [
      w * sine + x * cosine + y * sine - z * sine,
      w * sine - x * sine + y * cosine + z * sine,
      w * sine + x * sine - y * sine + z * cosine,
      w * cosine - x * sine - y * sine - z * sine,
    ];
    return [...new Map([...rotations, [shaking.joint, turned]])];
  }

  private takeFrame(answer: FrameAnswer): void {
    if (answer.character !== null && this.character !== null) {
      this.character = answer.character;
      this.recycle = [];
      this.tell("character", answer.character);
    } else if (this.frame !== null) {
      this.keepForNext(this.frame);
    }
    this.frame = answer;
    this.volumes = answer.volumes ?? this.volumes;
    this.losses = answer.losses ?? this.losses;
    this.flesh = answer.flesh;
    this.jointFrame = answer.frame;
    if (answer.refused !== null) {
      this.tell("told", { text: `settings: ${answer.refused}`, kind: "error" });
    }
    this.tell("frame", answer);
    if (answer.applied !== null) {
      if (this.sentSettings === this.work.settings) {
        void this.askProfiles();
      }
      this.tellWarnings(answer.applied.warnings);
    }
    this.pump();
  }

  /** Each once, as long as it stays; the settings have no lines here that anyone sees. */
  private tellWarnings(warnings: string[]): void {
    const words = warnings.map((warning) => warning.replace(/^line \d+, column \d+: /, ""));
    for (const text of words.filter((each) => !this.toldWarnings.includes(each)).slice(0, 2)) {
      this.tell("told", { text, kind: "note" });
    }
    this.toldWarnings = words;
  }

  /** Arrays of the frame before go back to the worker, once nothing shows them. */
  private keepForNext(old: FrameAnswer): void {
    for (const skin of [old.corrected, ...Object.values(old.bases)]) {
      this.recycle.push(skin.positions.buffer as ArrayBuffer, skin.normals.buffer as ArrayBuffer);
    }
    if (old.channel !== null) {
      this.recycle.push(old.channel.buffer as ArrayBuffer);
    }
  }

  /** When the changes were made that the last frame shows; each is told once. */
  takeShown(): number[] {
    const times = this.shownChanges;
    this.shownChanges = [];
    return times;
  }

  /** @param list latencies, once they are on screen; drawnLatencies, once they are drawn */
  noteShown(times: number[], list = this.latencies): void {
    const now = performance.now();
    list.push(...times.map((time) => now - time));
    list.splice(0, Math.max(0, list.length - 1000));
  }

  // ---- the whole clip ----

  private measureSoon(): void {
    window.clearTimeout(this.measureTimer);
    this.measureTimer = window.setTimeout(() => void this.measureClip(), measureDelay);
  }

  private async measureClip(): Promise<void> {
    const { settings } = this.work;
    if (this.character === null || this.animation < 0 || settings === this.measuredSettings) {
      return;
    }
    if (this.isHeld) {
      this.measureSoon(); // what the hand is at comes first
      return;
    }
    this.measuring?.cancel();
    const running = this.engine.run<ClipMeasure>("measure", [this.animation]);
    this.measuring = running;
    try {
      const clip = await running.result;
      if (settings === this.work.settings) {
        this.clip = clip;
        this.measuredSettings = settings;
        this.tell("clip", clip);
      }
    } catch {
      // Another one has begun, or the settings are refused, which a frame tells.
    }
  }
}
