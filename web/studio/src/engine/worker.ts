// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The core, beside the page: one character at a time. Frames come first; long work is done in
// pieces between them.

import {
  createModel,
  defaultProfile,
  loadCharacter,
  presetNames,
  profileToCurves,
  ready,
  supported,
  TurgorError,
  version,
} from "turgor";
import type { Applied, Character, Job, Profile, Skin } from "turgor";
import type {
  CharacterInfo,
  FrameAnswer,
  FrameRequest,
  FromWorker,
  JobName,
  Source,
  SkinArrays,
  ToWorker,
} from "./messages";

const worker = self as unknown as DedicatedWorkerGlobalScope;
/** Milliseconds of long work between two looks at what the page wants. */
const pieceTime = 6;

let character: Character | null = null;
let meshVersion = 0;
let name = "";
let spare: ArrayBuffer[] = [];
const jobs = new Map<number, Job<unknown>>();
let jobsRun = false;

function say(message: FromWorker, transfer: Transferable[] = []): void {
  worker.postMessage(message, transfer);
}

/** The core's own words; what it throws besides is a fault of ours or of the machine's memory. */
function tell(error: unknown): string {
  if (error instanceof TurgorError) {
    return error.message;
  }
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    // Nobody knows what state its memory is in.
    say({ type: "fatal", message: String(error.message) });
  }
  return error instanceof Error ? error.message : String(error);
}

// ---- arrays that go to the page ------------------------------------------------------------------

/** A copy of a view into the core's memory, in an array that came back, where one fits. */
function copy(view: Float32Array): Float32Array {
  const at = spare.findIndex((buffer) => buffer.byteLength === view.byteLength);
  const target = at >= 0 ? new Float32Array(spare.splice(at, 1)[0]!) : new Float32Array(view.length);
  target.set(view);
  return target;
}

function copySkin(skin: Skin): SkinArrays {
  return { positions: copy(skin.positions), normals: copy(skin.normals) };
}

// ---- a character ---------------------------------------------------------------------------------

function describe(of: Character): CharacterInfo {
  return {
    name,
    vertexCount: of.vertexCount,
    triangleCount: of.triangleCount,
    warnings: of.warnings,
    joints: of.joints,
    animations: of.animations,
    parts: of.parts,
    materials: of.materials,
    triangles: of.triangles.slice(),
    restPositions: of.restPositions.slice(),
    uvs: of.uvs?.slice() ?? null,
    bounds: of.bounds,
    restVolume: of.mesh.restVolume,
    isFlat: of.mesh.isFlat,
    settings: of.settings,
    presets: presetNames(),
  };
}

/** The old one stays until the new one is there. */
function load(source: Source): CharacterInfo {
  const options = { settings: source.settings ?? "{}", files: source.files };
  const loaded =
    source.model !== undefined
      ? createModel(source.model, undefined, options)
      : loadCharacter(source.bytes!, options);
  cancelAll();
  character?.destroy();
  character = loaded;
  meshVersion = loaded.meshVersion;
  name = source.name;
  spare = [];
  return describe(loaded);
}

function needCharacter(): Character {
  if (character === null) {
    throw new Error("there is no character");
  }
  return character;
}

// ---- a frame -------------------------------------------------------------------------------------

function pose(of: Character, request: FrameRequest): void {
  if (request.rotations !== undefined) {
    of.clearRotations();
    for (const [joint, rotation] of request.rotations) {
      of.setRotation(joint, rotation);
    }
  }
  if (request.reset) {
    of.reset();
  }
  if ("wait" in request.pose) {
    of.wait(request.pose.wait);
  } else {
    of.play(request.pose.animation, request.pose.time);
  }
}

function applySettings(of: Character, text: string): { applied: Applied | null; refused: string | null } {
  try {
    const applied = of.apply(text);
    if (!applied.live) {
      cancelAll(); // what they measured is of the old rig
    }
    return { applied, refused: null };
  } catch (error) {
    return { applied: null, refused: tell(error) };
  }
}

function makeFrame(request: FrameRequest): FrameAnswer {
  const begin = performance.now();
  const of = needCharacter();
  spare.push(...request.recycle);
  const { applied, refused } =
    request.settings !== undefined ? applySettings(of, request.settings) : { applied: null, refused: null };
  const isOther = of.meshVersion !== meshVersion;
  meshVersion = of.meshVersion;
  pose(of, request);
  // Plain skins first: what is asked after a frame is of the last one.
  const bases: FrameAnswer["bases"] = {};
  for (const base of request.bases) {
    bases[base] = copySkin(of.deformBase(base));
  }
  const corrected = copySkin(of.deform());
  const joint = request.joint;
  const channel =
    request.channel === null
      ? null
      : copy(request.channel === "displacement" ? of.displacement() : of[request.channel](joint));
  spare.length = Math.min(spare.length, 12);
  const answer: FrameAnswer = {
    id: request.id,
    milliseconds: 0,
    corrected,
    bases,
    channel,
    turned: request.turned ? of.turnedFaces().slice() : null,
    joints: of.jointMatrices(),
    volumes: request.measure ? of.volumes() : null,
    losses: request.measure ? of.losses() : null,
    frame: joint >= 0 ? of.frameOf(joint) : null,
    rotation: joint >= 0 ? of.rotationOf(joint) : null,
    flesh: of.flesh(),
    bones: request.bones ? of.boneMeshes() : null,
    applied,
    refused,
    character: isOther ? describe(of) : null,
  };
  answer.milliseconds = performance.now() - begin;
  return answer;
}

function sendFrame(request: FrameRequest): void {
  const answer = makeFrame(request);
  const skins = [answer.corrected, ...Object.values(answer.bases)];
  const arrays = [...skins.flatMap((skin) => [skin.positions, skin.normals]), answer.joints, answer.channel];
  say(
    { type: "frame", answer },
    arrays.flatMap((array) => (array === null ? [] : [array.buffer as ArrayBuffer])),
  );
}

// ---- long work -----------------------------------------------------------------------------------

function startJob(id: number, job: JobName, given: unknown[]): void {
  const of = needCharacter() as unknown as Record<JobName, (...a: unknown[]) => Job<unknown>>;
  jobs.set(id, of[job](...given));
  runJobs();
}

function cancelAll(): void {
  for (const [id, job] of jobs) {
    job.cancel();
    say({ type: "failed", id, message: "cancelled" });
  }
  jobs.clear();
}

function stepJob(id: number, job: Job<unknown>): void {
  const end = performance.now() + pieceTime;
  try {
    let done = false;
    while (!done && performance.now() < end) {
      done = job.step();
    }
    if (done) {
      jobs.delete(id);
      say({ type: "done", id, result: job.result() });
    } else {
      say({ type: "progress", id, progress: job.progress });
    }
  } catch (error) {
    jobs.delete(id);
    say({ type: "failed", id, message: tell(error) });
  }
}

/** A timer between pieces, so that messages of the page come first. */
function runJobs(): void {
  if (jobsRun) {
    return;
  }
  jobsRun = true;
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const [next] = jobs;
    if (next === undefined) {
      jobsRun = false;
      channel.port1.close();
      return;
    }
    stepJob(...next);
    // Messages that wait are handled before this one comes back.
    setTimeout(() => channel.port2.postMessage(null), 0);
  };
  channel.port2.postMessage(null);
}

// ---- messages ------------------------------------------------------------------------------------

/** A view would bring all of the core's memory along. */
function own(value: unknown): unknown {
  return ArrayBuffer.isView(value) ? (value as Float32Array).slice() : value;
}

function handle(message: ToWorker): unknown {
  switch (message.type) {
    case "load":
      return load(message.source);
    case "call": {
      const of = needCharacter() as unknown as Record<string, (...a: unknown[]) => unknown>;
      return own(of[message.name]!(...message.arguments));
    }
    case "curves": {
      const profile = message.profile as Profile;
      return profileToCurves(profile.profile === "organic" ? defaultProfile("isotropic") : profile);
    }
    case "check":
      needCharacter().wouldBeLive(message.settings); // throws what is wrong, with line and column
      return JSON.parse(message.settings) as unknown;
    case "preset": {
      const of = needCharacter();
      of.apply(message.settings);
      of.setPreset(message.name);
      return of.settings;
    }
    default:
      return undefined;
  }
}

worker.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "cancel") {
    jobs.get(data.id)?.cancel();
    jobs.delete(data.id);
    return;
  }
  const id = data.type === "frame" ? data.request.id : data.id;
  try {
    if (data.type === "frame") {
      sendFrame(data.request);
    } else if (data.type === "job") {
      startJob(id, data.name, data.arguments);
    } else {
      say({ type: "done", id, result: handle(data) });
    }
  } catch (error) {
    say({ type: "failed", id, message: tell(error) });
  }
};

if (!supported) {
  say({ type: "fatal", message: "this browser has no WebAssembly with SIMD; a newer one has" });
} else {
  ready.then(
    () => say({ type: "ready", version }),
    (error) => say({ type: "fatal", message: String(error) }),
  );
}
