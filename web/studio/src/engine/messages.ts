// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the page and the worker say to each other. All of it is plain data.

import type {
  Animation,
  Applied,
  BoneMesh,
  ClipMeasure,
  FleshState,
  Joint,
  JointFrame,
  JointLoss,
  Material,
  Part,
  Settings,
  Vec3,
  Volumes,
} from "turgor";

export type Quaternion = [number, number, number, number];
export type BaseSkin = "linear" | "dual-quaternion";
/** One number for each vertex, to be seen as a colour. */
export type Channel = "gamma" | "weights" | "displacement";

/** Where a character comes from. */
export interface Source {
  name: string;
  /** An embedded character, in place of bytes. */
  model?: string;
  bytes?: Uint8Array;
  /** What a .gltf names beside itself. */
  files?: Record<string, Uint8Array>;
  settings?: string;
}

/** What never changes while a character is loaded, or comes again with another mesh. */
export interface CharacterInfo {
  name: string;
  vertexCount: number;
  triangleCount: number;
  warnings: string[];
  joints: Joint[];
  animations: Animation[];
  parts: Part[];
  materials: Material[];
  triangles: Uint32Array;
  restPositions: Float32Array;
  uvs: Float32Array | null;
  bounds: { min: Vec3; max: Vec3; diagonal: number };
  restVolume: number;
  isFlat: boolean;
  settings: Settings;
  presets: string[];
}

/** What is wanted of a frame. */
export interface FrameRequest {
  /** Counts up; the answer has the same. */
  id: number;
  /** Only when they changed. */
  settings?: string;
  /** A time of an animation, -1: as the file stands; or, where the pose stays, seconds that pass. */
  pose: { animation: number; time: number } | { wait: number };
  /** All joints that are turned by hand, when that changed. */
  rotations?: [number, Quaternion][];
  /** Flesh comes to rest. */
  reset: boolean;
  bases: BaseSkin[];
  channel: Channel | null;
  turned: boolean;
  /** Volumes and losses too. */
  measure: boolean;
  /** The joint that is selected; -1: none. */
  joint: number;
  bones: boolean;
  /** Arrays that the page needs no more. */
  recycle: ArrayBuffer[];
}

export interface SkinArrays {
  positions: Float32Array;
  normals: Float32Array;
}

export interface FrameAnswer {
  id: number;
  /** Milliseconds that the core took. */
  milliseconds: number;
  corrected: SkinArrays;
  bases: Partial<Record<BaseSkin, SkinArrays>>;
  channel: Float32Array | null;
  turned: Uint8Array | null;
  joints: Float32Array;
  volumes: Volumes | null;
  losses: JointLoss[] | null;
  frame: JointFrame | null;
  /** Of the selected joint, against its parent node. */
  rotation: Quaternion | null;
  flesh: FleshState[];
  bones: BoneMesh[] | null;
  applied: Applied | null;
  /** New settings that were refused: what is wrong with them. */
  refused: string | null;
  /** The mesh became another one, by refinement. */
  character: CharacterInfo | null;
}

/** Character's own functions that the page may call by name. */
export type Callable =
  | "profilesOf"
  | "fleshElements"
  | "suits"
  | "mirrorRotation"
  | "silhouette"
  | "settingsText"
  | "stateHash"
  | "rotationOf";
export type JobName = "measure" | "bake" | "correctives";

export type ToWorker =
  | { type: "load"; id: number; source: Source }
  | { type: "frame"; request: FrameRequest }
  | { type: "call"; id: number; name: Callable; arguments: unknown[] }
  | { type: "curves"; id: number; profile: unknown }
  | { type: "preset"; id: number; name: string; settings: string }
  | { type: "check"; id: number; settings: string }
  | { type: "job"; id: number; name: JobName; arguments: unknown[] }
  | { type: "cancel"; id: number };

export type FromWorker =
  | { type: "ready"; version: string }
  | { type: "done"; id: number; result: unknown }
  | { type: "failed"; id: number; message: string }
  | { type: "progress"; id: number; progress: number }
  | { type: "frame"; answer: FrameAnswer }
  | { type: "fatal"; message: string };

export type { ClipMeasure };
