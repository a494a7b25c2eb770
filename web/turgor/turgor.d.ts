// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skin that keeps its volume, in WebAssembly. Wait for `ready`, then load a character:
//
//   import { ready, loadCharacter } from "turgor";
//   await ready;
//   const hero = loadCharacter(new Uint8Array(await file.arrayBuffer()));
//   hero.play(0, 0.5);
//   const { positions, normals } = hero.deform();
//
// Nothing here is asynchronous but `ready`: run it in a worker where a page must not wait.
//
// Views. What is said to be a view looks into the module's memory: read or copy it before the next
// call of anything here; ask again after it. Everything else is a copy of your own.
// Angles are radians, times seconds, quaternions x y z w, matrices 16 numbers by columns (as
// three.js and glTF have them), in the model space of the file.

/** Whether this machine runs it: WebAssembly with SIMD. */
export const supported: boolean;
/** Fulfilled when everything else here may be called; rejected where `supported` is false. */
export const ready: Promise<void>;
/** "0.1.0", once it is ready. */
export let version: string;
/** Bytes of the module's memory, which grows and never shrinks. */
export function memorySize(): number;

/** What went wrong, in the command line's words, without the name of the file. */
export class TurgorError extends Error {
    /** "invalid argument", "invalid mesh", "out of memory", "unsupported", "input/output"... */
    code: string;
    /** The vertex, face or joint at fault; -1 when none is. */
    index: number;
}

// ---- settings: the file docs/settings.md tells of ------------------------------------------------

export type Vec3 = [number, number, number];
export type Skinning = "auto" | "linear" | "dual-quaternion" | "blend";
export type ProfileKind =
    "organic" | "isotropic" | "rubber" | "muscle" | "folds" | "belly" | "curves";
/** Points [coordinate, value]: smooth in between, level outside, 32 at most. */
export type Curve = [number, number][];

export interface Profile {
    profile?: ProfileKind;
    mu?: Vec3;
    sigma?: number | Vec3;
    center?: number | Vec3;
    folds?: number;
    foldAngle?: number;
    gain?: number;
    drift?: number;
    paint?: string | null;
    curves?: [Curve, Curve, Curve];
    mirror?: boolean;
    combine?: "add" | "multiply";
}

export interface TargetKey { time: number; scale: number }

export interface FleshSpring {
    share?: number; frequency?: number; dampingRatio?: number; stiffness?: number; damping?: number;
}

export interface FleshElement {
    name?: string;
    driver: string;
    driven?: string | string[];
    joints?: string | string[];
    vertices?: string | (string | number)[];
    attenuation?: "parabola" | "wyvill" | Vec3[];
    thickness?: number;
    flow?: number;
    frequency?: number;
    dampingRatio?: number;
    stiffness?: number;
    damping?: number;
    springs?: FleshSpring[];
    mass?: number;
    density?: number;
    gravity?: Vec3;
    airFriction?: number;
    wind?: Vec3;
    elongation?: number;
    stopAtLimit?: boolean;
    resetDistance?: number;
    twist?: { frequency?: number; dampingRatio?: number; limit?: number };
}

export interface VolumeSettings {
    method?: "exact" | "local" | "none";
    mode?: "exact" | "paper";
    target?: TargetKey[];
    default?: Profile | Profile[];
    joints?: Record<string, Profile | Profile[] | null>;
    local?: Record<string, unknown>;
    paint?: string | null;
    contact?: boolean | { gap?: number };
}

export interface Settings {
    $schema?: string;
    turgor?: 1;
    skinning?: Skinning;
    volume?: VolumeSettings;
    flesh?: FleshElement[] | "auto";
    bones?: "auto" | Record<string, unknown>[];
    wrinkles?: "auto" | Record<string, unknown>[];
    refine?: { threshold?: number; smooth?: boolean; levels?: number };
}

/** What became of new settings. */
export interface Applied {
    /** true: the rig stayed and springs swing on. false: the rig was made anew, as for another
     *  method, other bones or wrinkles, another refinement. */
    live: boolean;
    /** "line 12, column 7: ..."; one line each. */
    warnings: string[];
    /** What patterns of joint names and mirrors came to. */
    notes: string[];
}

/** Names of presets: organic, rubber, muscle, ... */
export function presetNames(): string[];
/** A kind's own numbers, all of them told, as a settings file would have them. */
export function defaultProfile(kind: ProfileKind): Profile;
/** A kind's shape as three curves, for an editor to start from: the same shape where it is a product
 *  of curves (all but the belly in between), with `gain` and `mu` of the profile. */
export function profileToCurves(profile: Profile): Profile;

// ---- a character --------------------------------------------------------------------------------

export interface LoadOptions {
    /** Files that a .gltf names beside itself, by their relative path. */
    files?: Record<string, Uint8Array>;
    /** Settings to start with, as text or object; `{}`. */
    settings?: string | Settings;
}

/** A .glb or .gltf from memory. Throws TurgorError. */
export function loadCharacter(bytes: Uint8Array, options?: LoadOptions): Character;
/** An embedded character: "elephant", "giraffe", "human", ... Throws with the list of names. */
export function createModel(name: string, vertexCount?: number,
                            options?: Pick<LoadOptions, "settings">): Character;
/** The same as the bytes of a .glb, as `turgor model NAME -o NAME.glb` writes it. */
export function modelBytes(name: string, vertexCount?: number): Uint8Array;
/** The embedded characters. */
export function modelNames(): { name: string; description: string; vertexCount: number }[];

/** A character from arrays of your own, all copied. */
export interface CharacterDef {
    /** 3 for each vertex, in the bind pose. */
    positions: Float32Array;
    normals?: Float32Array;
    /** 3 for each triangle. */
    triangles: Uint32Array | Uint16Array | number[];
    jointNames?: string[];
    /** -1 for a root; parent before child. */
    jointParents: ArrayLike<number>;
    /** 16 for each joint: joint to model in the bind pose. */
    restJoints: Float32Array;
    influencesPerVertex: number;
    influenceJoints: ArrayLike<number>;
    influenceWeights: ArrayLike<number>;
    settings?: string | Settings;
}
export function createCharacter(def: CharacterDef): Character;

export interface Joint {
    index: number;
    name: string;
    /** -1 for a root; parent before child. */
    parent: number;
    children: number[];
    /** In the bind pose. */
    position: Vec3;
    /** The joint of the other side; -1: none. */
    twin: number;
    /** Skin bends with it: only such joints give back volume. False for all without method "exact". */
    bends: boolean;
    /** Half the thickness of the flesh where it bends. */
    radius: number;
    /** Of its parent bone: what lengths of profiles count in. */
    boneLength: number;
    /** 0 to 1: how cleanly a limb goes round it. */
    aptness: number;
    /** Largest swing and twist of it in the file's animations. */
    swing: number;
    twist: number;
    /** About which it bends by nature, in the bind pose; a turn by more than 0 goes to its inner side. */
    axis: Vec3;
}

export interface Animation {
    index: number;
    name: string;
    start: number;
    end: number;
}

/** One object and material: a glTF primitive. */
export interface Part {
    name: string;
    /** The name of the file's node that carries it. */
    node: string;
    /** Of its mesh's primitives. */
    primitive: number;
    material: number;
    firstVertex: number;
    vertexCount: number;
    /** Into `triangles`, counted in triangles. */
    firstTriangle: number;
    triangleCount: number;
}

export interface Material {
    name: string;
    /** Linear RGB and opacity. */
    baseColor: [number, number, number, number];
    roughness: number;
}

/** Both views, 3 numbers for each vertex. */
export interface Skin { positions: Float32Array; normals: Float32Array }

export interface Volumes {
    rest: number;
    /** Of plain skinning, in the same pose; the settings' blend, no other layer. */
    plain: number;
    target: number;
    corrected: number;
    /** What found no room; 0 as a rule. */
    residual: number;
}

export interface JointLoss {
    joint: number;
    /** Volume that its bend took away (negative) or added, in this frame. */
    loss: number;
    inside: number;
    beside: number;
    spilled: number;
}

/** A joint's own axes: e0 along the parent bone into it, e1 the bending axis, e2 to the inner side.
 *  Unit vectors of the pose. */
export interface JointFrame {
    origin: Vec3;
    e0: Vec3;
    e1: Vec3;
    e2: Vec3;
    /** Of the parent bone, in the pose: the unit of profiles' coordinates. */
    length: number;
    /** Radians that the joint is bent by. */
    bend: number;
    /** The same in the bind pose, bent to the same side: where profiles are evaluated. */
    restOrigin: Vec3;
    restAxes: [Vec3, Vec3, Vec3];
}

export interface FleshState {
    name: string;
    driver: number;
    anchor: Vec3;
    displacement: Vec3;
    velocity: Vec3;
    twist: number;
    /** Longest displacement. */
    limit: number;
    /** Vertices that it moves. */
    vertexCount: number;
    mass: number;
}

export interface BoneMesh {
    joint: number;
    /** In the joint's space. */
    positions: Float32Array;
    triangles: Uint32Array;
}

export class Character {
    private constructor();

    readonly vertexCount: number;
    readonly triangleCount: number;
    /** Warnings about the file. */
    readonly warnings: string[];
    readonly joints: Joint[];
    readonly animations: Animation[];
    readonly parts: Part[];
    readonly materials: Material[];
    /** 3 for each triangle; polygons are cut. A copy, good until the mesh is refined. */
    readonly triangles: Uint32Array;
    /** 3 for each vertex, in the bind pose. A copy. */
    readonly restPositions: Float32Array;
    /** 2 for each vertex; null when the file has none. A copy. */
    readonly uvs: Float32Array | null;
    /** Of the bounding box in the bind pose. */
    readonly bounds: { min: Vec3; max: Vec3; diagonal: number };
    readonly mesh: {
        weldedVertexCount: number;
        holes: number;
        restVolume: number;
        /** It encloses no volume, and none is kept. */
        isFlat: boolean;
    };
    /** Counts up whenever vertices or triangles became others (refine in settings). */
    readonly meshVersion: number;

    /** Free its memory. Nothing of it may be called after. */
    destroy(): void;

    // -- settings --

    /** The settings in use: an object that is yours to read; set it by `apply`. */
    readonly settings: Settings;
    /** The text for a file: what `turgor --settings` reads. */
    settingsText(): string;
    /** Take other settings. What can be changed in the living rig is; the rest makes it anew, while
     *  the pose stays. Throws TurgorError with "line 12, column 7: ..." and changes nothing then. */
    apply(settings: string | Settings): Applied;
    /** Whether `apply` of these would be live; so that a page can have it done in another character
     *  meanwhile. Throws as apply does. */
    wouldBeLive(settings: string | Settings): boolean;

    // The same for one thing at a time: each changes `settings` and applies them.
    /** A joint's profiles: undefined: as the default says, null: none. Written by the joint's own name. */
    setProfiles(joint: number, profiles: Profile | Profile[] | null | undefined): Applied;
    setDefaultProfiles(profiles: Profile | Profile[] | undefined): Applied;
    setTarget(keys: TargetKey[] | undefined): Applied;
    setContact(contact: boolean | { gap?: number } | undefined): Applied;
    setFlesh(flesh: FleshElement[] | "auto" | undefined): Applied;
    setBones(bones: "auto" | undefined): Applied;
    setSkinning(skinning: Skinning | undefined): Applied;
    /** As `--preset NAME` on settings without profiles: volume's default and joints become the preset's,
     *  and flesh where the preset has it. */
    setPreset(name: string): Applied;

    /** The profiles that a joint has after patterns, mirrors and defaults, every number told; the empty
     *  list: none. */
    profilesOf(joint: number): Profile[];
    /** The flesh elements there are, after "auto". */
    fleshElements(): FleshElement[];
    /** Which joints a preset suits. */
    suits(preset: string): boolean[];

    // -- the pose --

    /** A time of an animation; -1: as the file's nodes stand. Springs go on when the time is later than
     *  the last one's and start over when it is earlier. */
    play(animation: number, time: number): void;
    /** The bind pose. */
    playBind(): void;
    /** The same pose, with joints as they are turned by now, so much later: springs swing. The time of
     *  the animation, by which the volume breathes, stays. */
    wait(seconds: number): void;
    /** A rotation of a joint in place of its animated one, against its parent node (playBind: its parent
     *  joint); null: none. Holds over frames until it is taken away. */
    setRotation(joint: number, rotation: ArrayLike<number> | null): void;
    clearRotations(): void;
    /** Against its parent node, in the pose. */
    rotationOf(joint: number): [number, number, number, number];
    /** 16 for each joint: joint to model, in the pose. A copy. */
    jointMatrices(): Float32Array;
    /** Joints of your own in place of all of that: 16 for each, joint to model.
     *  @param shape 3 for each vertex: the bind shape under morph targets; null: at rest */
    setJoints(matrices: ArrayLike<number>, time?: number, shape?: Float32Array | null): void;
    /** A rotation that mirrors another joint's: what to give the twin of a joint that was turned so. */
    mirrorRotation(joint: number, rotation: ArrayLike<number>): [number, number, number, number];
    /** Flesh comes to rest at the next frame. */
    reset(): void;

    // -- the frame --

    /** The corrected skin in the pose. */
    deform(): Skin;
    /** The same pose without any layer. */
    deformBase(skinning: "linear" | "dual-quaternion"): Skin;

    // -- after a frame --

    volumes(): Volumes;
    losses(): JointLoss[];
    /** How much each vertex takes part in what a joint gives back; -1: the most of all. 0 without method
     *  "exact". A view. */
    gamma(joint: number): Float32Array;
    /** Skin weights of a joint. A view. */
    weights(joint: number): Float32Array;
    /** How far each vertex is from where plain skinning (by the settings' blend) has it. A view. */
    displacement(): Float32Array;
    /** 1 for each triangle that is inside out in the last frame. A view. */
    turnedFaces(): Uint8Array;
    /** The frame of a joint's profiles; null where it has none (a root, or no bend with skin). */
    frameOf(joint: number): JointFrame | null;
    /** The outline of the limb about a joint in the bind pose: for each of `count` places from `from` to
     *  `to` along an axis least and most along e2 (of axis 2: along e0), in bone lengths, with signs. NaN
     *  where there is no skin. For an editor's background; after a frame. */
    silhouette(joint: number, axis: 0 | 1 | 2, from: number, to: number, count: number): Float32Array;
    flesh(): FleshState[];
    boneMeshes(): BoneMesh[];
    /** Equal hashes: equal bits of the last frame. 16 hexadecimal digits. */
    stateHash(): string;

    // -- over a clip --

    /** Volumes of frame after frame, without touching the pose: step it, as often as you please.
     *  Springs are left out. */
    measure(animation: number, fps?: number): Job<ClipMeasure>;

    // -- files --

    /** The character itself with settings' refinement, as `turgor bake -o NAME.glb` writes it: byte for
     *  byte. */
    bake(options?: BakeOptions): Job<Uint8Array>;
    /** As `turgor correctives -o NAME.glb`: byte for byte. */
    correctives(options?: CorrectivesOptions): Job<Uint8Array>;
}

export interface ClipMeasure {
    times: Float64Array;
    plain: Float64Array;
    corrected: Float64Array;
    target: Float64Array;
    /** By joint: the mean of what its bend took away, as a part of the target. */
    losses: Float64Array;
}

export interface BakeOptions {
    /** An animation's index, or "all" as --animation all does; 0, or -1 where there is none. */
    animation?: number | "all";
    fps?: number;
    /** First and last frame, as --frames A:B. */
    frames?: [number, number];
    /** The animation repeats, as --loop. */
    loop?: boolean;
}

export interface CorrectivesOptions {
    /** "all". */
    animation?: number | "all";
    fps?: number;
    loop?: boolean;
    /** As many targets as keep every vertex so near, in diagonals; 0.001. */
    maxError?: number;
    /** So many in place of that. */
    targets?: number;
    /** false: targets without normals. */
    normals?: boolean;
}

/** Work in pieces of some milliseconds each. */
export interface Job<T> {
    /** 0 to 1. */
    readonly progress: number;
    /** Do the next piece. True when all of it is done. Throws TurgorError when it fails. */
    step(): boolean;
    /** All of the rest, then what came out. */
    run(): T;
    /** What came out; throws before it is done. */
    result(): T;
    /** Free its memory; done by run and result, too. */
    cancel(): void;
}
