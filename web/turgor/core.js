// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The package turgor, but for where its WebAssembly comes from: build.mjs adds that. turgor.d.ts tells
// what each thing here is for.

/** A function of one SIMD instruction: valid where the module is. */
const simdProbe = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
    253, 98, 11,
]);

export const supported =
    typeof WebAssembly === "object" && WebAssembly.validate(simdProbe) === true;

export class TurgorError extends Error {
    constructor(message, code = "invalid argument", index = -1) {
        super(message);
        this.name = "TurgorError";
        this.code = code;
        this.index = index;
    }
}

/** Exports of the module; null until it is ready. */
let wasm = null;

/** @param bytes of the module, or a promise of them */
async function start(bytes) {
    if (!supported) {
        throw new TurgorError("this machine has no WebAssembly with SIMD", "unsupported");
    }
    const { instance } = await WebAssembly.instantiate(await bytes, {});
    instance.exports._initialize?.();
    wasm = instance.exports;
    const number = wasm.turgorVersion();
    version = `${Math.floor(number / 10000)}.${Math.floor(number / 100) % 100}.${number % 100}`;
}

export let version = "";

// ---- memory --------------------------------------------------------------------------------------

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function fail() {
    throw new TurgorError(readText(wasm.turgorErrorText()), readText(wasm.turgorErrorName()),
                          wasm.turgorErrorIndex());
}

function needModule() {
    if (wasm === null) {
        throw new TurgorError("the module is not there yet: wait for `ready`");
    }
    return wasm;
}

function readText(pointer) {
    const memory = new Uint8Array(wasm.memory.buffer);
    let end = pointer;
    while (memory[end] !== 0) {
        end += 1;
    }
    return decoder.decode(memory.slice(pointer, end));
}

/** Text that a function made for us, as JSON; the module's copy is freed. */
function takeJson(pointer) {
    if (pointer === 0) {
        fail();
    }
    const text = readText(pointer);
    wasm.turgorFree(pointer);
    return JSON.parse(text);
}

/** A copy of bytes in the module's memory; to be freed. */
function put(bytes) {
    const pointer = wasm.turgorTake(bytes.byteLength);
    if (pointer === 0) {
        throw new TurgorError(`out of memory for ${bytes.byteLength} bytes`, "out of memory");
    }
    new Uint8Array(wasm.memory.buffer, pointer, bytes.byteLength)
        .set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return pointer;
}

/** Calls back with the pointer of text that has a closing zero. */
function withText(text, call) {
    const bytes = encoder.encode(text + "\0");
    const pointer = put(bytes);
    try {
        return call(pointer, bytes.length - 1);
    } finally {
        wasm.turgorFree(pointer);
    }
}

function floats(pointer, count) {
    return new Float32Array(wasm.memory.buffer, pointer, count);
}

function numbers(count) {
    return Array.from(new Float64Array(wasm.memory.buffer, wasm.turgorNumbers(), count));
}

export function memorySize() {
    return needModule().memory.buffer.byteLength;
}

// ---- lists ---------------------------------------------------------------------------------------

export function presetNames() {
    return takeJson(needModule().turgorTellPresetNames());
}

export function modelNames() {
    return takeJson(needModule().turgorTellModels());
}

export function defaultProfile(kind) {
    needModule();
    return withText(kind, (pointer) => {
        const told = wasm.turgorTellDefaultProfile(pointer);
        if (told === 0) {
            throw new TurgorError(`there is no profile ${kind}`);
        }
        return takeJson(told);
    });
}

/** Points of f from low to high, the ends at 0. */
function sampleCurve(f, coordinates) {
    const last = coordinates.length - 1;
    return coordinates.map((x, i) => [round(x), i === 0 || i === last ? 0 : round(f(x))]);
}

function round(x) {
    return Math.round(x * 1e5) / 1e5;
}

function spread(low, high, count) {
    return Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
}

export function profileToCurves(profile) {
    const full = { ...defaultProfile(profile.profile ?? "organic"), ...profile };
    const { mu, gain, drift } = full;
    const common = { profile: "curves", mu: mu?.some((m) => m > 0) ? mu : [1 / 3, 1 / 3, 1 / 3], gain };
    if (drift > 0) {
        common.drift = drift;
    }
    if (full.profile === "curves") {
        return { ...common, curves: full.curves ?? [[], [], []] };
    }
    if (full.profile === "organic") { // has no axes: a ball about the joint stands for it
        return { ...common, curves: profileToCurves({ profile: "isotropic" }).curves };
    }
    const three = (x) => (Array.isArray(x) ? x : [x, x, x]);
    const sigma = three(full.sigma), center = Array.isArray(full.center) ? full.center : [full.center, 0, 0];
    const bell = (axis) => (x) => Math.exp(-(((x - center[axis]) / sigma[axis]) ** 2));
    const ends = (axis) => [center[axis] - 3 * sigma[axis], center[axis] + 3 * sigma[axis]];
    const curves = [0, 1, 2].map((axis) => sampleCurve(bell(axis), spread(...ends(axis), 13)));
    if (full.profile === "folds") {
        // Peaks and valleys of the waves are points of the curve, and where there is room those between.
        const wave = (x) => Math.sin(Math.PI * full.folds * x) ** 2;
        const step = (24 * sigma[0] * full.folds < 29 ? 0.25 : 0.5) / full.folds;
        const first = Math.ceil((center[0] - 3 * sigma[0]) / step);
        const places = [center[0] - 3 * sigma[0]];
        for (let i = first; i * step < center[0] + 3 * sigma[0] && places.length < 31; ++i) {
            places.push(...(i * step > places[0] + 1e-4 ? [i * step] : []));
        }
        places.push(Math.max(center[0] + 3 * sigma[0], places.at(-1) + 1e-3));
        curves[0] = sampleCurve((x) => wave(x) * bell(0)(x), places);
    }
    if (full.profile === "muscle" || full.profile === "belly") {
        const most = Math.max(center[2] + 3 * sigma[2], 0.1);
        const swell = (x) => Math.max(x, 0) * bell(2)(x);
        const places = [-0.05, ...spread(0, most, 14)];
        const peak = Math.max(...places.map(swell)) || 1;
        curves[2] = sampleCurve((x) => swell(x) / peak, places);
    }
    return { ...common, curves };
}

// ---- where characters come from ------------------------------------------------------------------

/** A function that makes the scene, as often as it is wanted. */
function sourceOfBytes(bytes, files = {}) {
    return () => {
        const data = put(bytes);
        try {
            for (const [name, content] of Object.entries(files)) {
                withText(name, (text) => {
                    const file = put(content);
                    const isGiven = wasm.turgorGiveFile(text, file, content.byteLength);
                    wasm.turgorFree(file);
                    isGiven || fail();
                });
            }
            return wasm.turgorLoadScene(data, bytes.byteLength) || fail();
        } finally {
            wasm.turgorForgetFiles();
            wasm.turgorFree(data);
        }
    };
}

export function loadCharacter(bytes, options = {}) {
    needModule();
    if (!(bytes instanceof Uint8Array)) {
        throw new TurgorError("loadCharacter wants a Uint8Array");
    }
    return new Character(sourceOfBytes(bytes.slice(), options.files), options.settings);
}

export function createModel(name, vertexCount = 0, options = {}) {
    return loadCharacter(modelBytes(name, vertexCount), options);
}

export function modelBytes(name, vertexCount = 0) {
    const pointer = withText(name, (text) => needModule().turgorMakeModel(text, vertexCount)) || fail();
    const bytes = new Uint8Array(wasm.memory.buffer, pointer, numbers(1)[0]).slice();
    wasm.turgorFree(pointer);
    return bytes;
}

/** 16 numbers by columns to 12: three axes and the origin. */
function toRows(matrices) {
    const count = matrices.length / 16;
    const out = new Float32Array(12 * count);
    for (let i = 0; i < count; ++i) {
        for (let column = 0; column < 4; ++column) {
            for (let row = 0; row < 3; ++row) {
                out[12 * i + 3 * column + row] = matrices[16 * i + 4 * column + row];
            }
        }
    }
    return out;
}

function checkDef(def) {
    const vertices = def.positions.length / 3, joints = def.jointParents.length;
    const wrong = (what, found, wanted) =>
        new TurgorError(`${what} has ${found} numbers, wanted ${wanted}`);
    if (!Number.isInteger(vertices)) {
        throw wrong("positions", def.positions.length, "3 for each vertex");
    }
    if (def.normals && def.normals.length !== def.positions.length) {
        throw wrong("normals", def.normals.length, def.positions.length);
    }
    if (def.triangles.length % 3 !== 0) {
        throw wrong("triangles", def.triangles.length, "3 for each");
    }
    if (def.restJoints.length !== 16 * joints) {
        throw wrong("restJoints", def.restJoints.length, 16 * joints);
    }
    for (const key of ["influenceJoints", "influenceWeights"]) {
        if (def[key].length !== vertices * def.influencesPerVertex) {
            throw wrong(key, def[key].length, vertices * def.influencesPerVertex);
        }
    }
}

export function createCharacter(def) {
    needModule();
    checkDef(def);
    const joints = def.jointParents.length;
    const names = Array.from({ length: joints }, (_, j) => def.jointNames?.[j] || `joint_${j}`);
    const arrays = [
        Float32Array.from(def.positions),
        def.normals ? Float32Array.from(def.normals) : null,
        Int32Array.from(def.triangles),
        Int32Array.from(def.jointParents),
        toRows(def.restJoints),
        Int32Array.from(def.influenceJoints),
        Float32Array.from(def.influenceWeights),
        encoder.encode(names.join("\0") + "\0"),
    ];
    const counts = [def.positions.length / 3, def.triangles.length / 3, joints, def.influencesPerVertex];
    return new Character(() => {
        const pointers = arrays.map((array) => (array === null ? 0 : put(array)));
        const own = put(Int32Array.from([...counts, ...pointers]));
        try {
            return wasm.turgorMakeScene(own) || fail();
        } finally {
            [own, ...pointers].forEach((pointer) => wasm.turgorFree(pointer));
        }
    }, def.settings);
}

// ---- a character ---------------------------------------------------------------------------------

/** In the order of turgorArray. */
const arrayNames = ["restPositions", "faceVertices", "uvs", "positions", "normals", "plainPositions",
                    "plainNormals", "values", "marks", "joints", "shape", "losses", "rotations", "nodes"];
/** In the order of the bits of turgorApply. */
const layerNames = ["volume", "flesh", "bones", "wrinkles"];
const skinnings = ["linear", "dual-quaternion"];

function toText(settings) {
    return typeof settings === "string" ? settings : JSON.stringify(settings ?? {}, null, 2);
}

export class Character {
    #source;
    #hero = 0;
    #info = null;
    #isStale = false; // what the rig knows of joints is to be asked again
    #text = "{}";
    #settings = {};
    #meshVersion = 0;
    #triangles = null;
    #rest = null;

    constructor(source, settings) {
        this.#source = source;
        this.#make(toText(settings));
    }

    /** Another hero in place of the one there is, if it can be made. */
    #make(text) {
        const scene = this.#source();
        const hero = withText(text, (pointer, size) => wasm.turgorCreateHero(scene, pointer, size)) || fail();
        const parsed = JSON.parse(text);
        if (this.#hero !== 0) {
            this.#carry(hero);
            wasm.turgorDestroyHero(this.#hero);
        }
        this.#hero = hero;
        this.#text = text;
        this.#settings = parsed;
        this.#info = this.#triangles = this.#rest = null;
        this.#meshVersion += 1;
    }

    /** Joints that are turned by hand stay so. */
    #carry(hero) {
        const count = 4 * this.#told.joints.length;
        const turned = floats(wasm.turgorArray(this.#hero, arrayNames.indexOf("rotations")), count).slice();
        floats(wasm.turgorArray(hero, arrayNames.indexOf("rotations")), count).set(turned);
        this.#pose?.(hero);
    }

    /** What posed it last, on any hero. */
    #pose = null;

    get #wasm() {
        if (this.#hero === 0) {
            throw new TurgorError("the character was destroyed");
        }
        return wasm;
    }

    #array(name, Type, count) {
        const pointer = this.#wasm.turgorArray(this.#hero, arrayNames.indexOf(name));
        return pointer === 0 ? null : new Type(wasm.memory.buffer, pointer, count);
    }

    get #told() {
        if (this.#info === null) {
            const info = takeJson(this.#wasm.turgorTellHero(this.#hero));
            info.joints.forEach((joint) => (joint.children = []));
            info.joints.forEach((joint) => info.joints[joint.parent]?.children.push(joint.index));
            this.#info = info;
            this.#isStale = false;
        }
        return this.#info;
    }

    get joints() {
        const { joints } = this.#told;
        if (this.#isStale) {
            takeJson(this.#wasm.turgorTellJoints(this.#hero)).forEach((told, j) => Object.assign(joints[j], told));
            this.#isStale = false;
        }
        return joints;
    }

    get vertexCount() { return this.#told.vertexCount; }
    get triangleCount() { return this.#told.triangleCount; }
    get warnings() { return this.#told.warnings; }
    get animations() { return this.#told.animations; }
    get parts() { return this.#told.parts; }
    get materials() { return this.#told.materials; }
    get bounds() { return this.#told.bounds; }
    get mesh() { return this.#told.mesh; }
    get meshVersion() { return this.#meshVersion; }

    get triangles() {
        this.#triangles ??= this.#array("faceVertices", Uint32Array, 3 * this.triangleCount).slice();
        return this.#triangles;
    }

    get restPositions() {
        this.#rest ??= this.#array("restPositions", Float32Array, 3 * this.vertexCount).slice();
        return this.#rest;
    }

    get uvs() {
        return this.#array("uvs", Float32Array, 2 * this.vertexCount)?.slice() ?? null;
    }

    destroy() {
        if (this.#hero !== 0) {
            wasm.turgorDestroyHero(this.#hero);
            this.#hero = 0;
        }
    }

    // -- settings --

    get settings() {
        return structuredClone(this.#settings);
    }

    settingsText() {
        return this.#text.endsWith("\n") ? this.#text : this.#text + "\n";
    }

    #apply(text, isTrial) {
        let next;
        try {
            next = JSON.parse(text);
        } catch { // the module tells where
            next = {};
        }
        const differs = (name) => JSON.stringify(next?.[name]) !== JSON.stringify(this.#settings[name]);
        const changed = layerNames.reduce((bits, name, i) => bits | (differs(name) ? 1 << i : 0), 0);
        const applied = withText(text, (pointer, size) =>
            this.#wasm.turgorApply(this.#hero, pointer, size, changed, isTrial ? 1 : 0)) || fail();
        return { applied, next };
    }

    apply(settings) {
        const text = toText(settings);
        const { applied, next } = this.#apply(text, false);
        if (applied === 3) {
            this.#make(text);
        } else {
            this.#text = text;
            this.#settings = next;
            this.#isStale = true;
        }
        return { live: applied === 1, ...takeJson(this.#wasm.turgorTellSettings(this.#hero)) };
    }

    wouldBeLive(settings) {
        return this.#apply(toText(settings), true).applied === 1;
    }

    #change(change) {
        const settings = this.settings;
        change(settings);
        return this.apply(settings);
    }

    #setKey(object, key, value) {
        if (value === undefined) {
            delete object[key];
        } else {
            object[key] = value;
        }
    }

    setProfiles(joint, profiles) {
        const { joints } = this.#told;
        const name = joints[joint]?.name;
        if (name === undefined) {
            throw new TurgorError(`there is no joint ${joint}, the skeleton has ${joints.length}`);
        }
        return this.#change((settings) => {
            settings.volume ??= {};
            settings.volume.joints ??= {};
            this.#setKey(settings.volume.joints, name, profiles);
        });
    }

    #setVolume(key, value) {
        return this.#change((settings) => {
            settings.volume ??= {};
            this.#setKey(settings.volume, key, value);
        });
    }

    setDefaultProfiles(profiles) { return this.#setVolume("default", profiles); }
    setTarget(keys) { return this.#setVolume("target", keys); }
    setContact(contact) { return this.#setVolume("contact", contact); }
    setFlesh(flesh) { return this.#change((settings) => this.#setKey(settings, "flesh", flesh)); }
    setBones(bones) { return this.#change((settings) => this.#setKey(settings, "bones", bones)); }
    setSkinning(skinning) { return this.#change((settings) => this.#setKey(settings, "skinning", skinning)); }

    setPreset(name) {
        const preset = takeJson(withText(name, (text) => this.#wasm.turgorTellPreset(this.#hero, text)));
        const single = (list) => (list.length === 1 ? list[0] : list);
        return this.#change((settings) => {
            settings.volume ??= {};
            settings.volume.default = single(preset.default);
            settings.volume.joints = {};
            for (const [joint, profiles] of Object.entries(preset.joints)) {
                settings.volume.joints[joint] = single(profiles);
            }
            if (preset.flesh.length > 0) {
                settings.flesh = preset.flesh;
            }
        });
    }

    profilesOf(joint) {
        return takeJson(this.#wasm.turgorTellProfiles(this.#hero, joint));
    }

    fleshElements() {
        return takeJson(this.#wasm.turgorTellFlesh(this.#hero));
    }

    suits(preset) {
        const pointer = withText(preset, (text) => this.#wasm.turgorSuits(this.#hero, text)) || fail();
        const marks = new Uint8Array(wasm.memory.buffer, pointer, this.joints.length);
        const suits = Array.from(marks, (mark) => mark !== 0);
        wasm.turgorFree(pointer);
        return suits;
    }

    // -- the pose --

    play(animation, time) {
        if (!Number.isFinite(time)) {
            throw new TurgorError(`the time is ${time}, wanted a number of seconds`);
        }
        this.#pose = (hero) => wasm.turgorPose(hero, animation, time);
        this.#wasm.turgorPose(this.#hero, animation, time);
    }

    playBind() {
        this.#pose = (hero) => wasm.turgorPoseBind(hero);
        this.#wasm.turgorPoseBind(this.#hero);
    }

    wait(seconds) {
        this.#wasm.turgorWait(this.#hero, seconds);
    }

    setRotation(joint, rotation) {
        const all = this.#array("rotations", Float32Array, 4 * this.#told.joints.length);
        all.set(rotation === null ? [0, 0, 0, 0] : Array.from(rotation).slice(0, 4), 4 * joint);
        this.#wasm.turgorWait(this.#hero, 0); // the same pose with it
    }

    clearRotations() {
        this.#array("rotations", Float32Array, 4 * this.#told.joints.length).fill(0);
        this.#wasm.turgorWait(this.#hero, 0);
    }

    rotationOf(joint) {
        const room = put(new Float32Array(12));
        this.#wasm.turgorGetParentMatrix(this.#hero, joint, room);
        const parent = rotationOfAxes(floats(room, 9));
        wasm.turgorFree(room);
        const own = this.#array("joints", Float32Array, 12 * this.#told.joints.length);
        return multiply(conjugate(parent), rotationOfAxes(own.subarray(12 * joint, 12 * joint + 9)));
    }

    jointMatrices() {
        const from = this.#array("joints", Float32Array, 12 * this.#told.joints.length);
        const out = new Float32Array(16 * this.joints.length);
        for (let j = 0; j < this.joints.length; ++j) {
            for (let column = 0; column < 4; ++column) {
                out.set(from.subarray(12 * j + 3 * column, 12 * j + 3 * column + 3), 16 * j + 4 * column);
            }
            out[16 * j + 15] = 1;
        }
        return out;
    }

    setJoints(matrices, time = 0, shape = null) {
        const rows = toRows(matrices), count = this.joints.length;
        if (rows.length !== 12 * count) {
            throw new TurgorError(`${matrices.length} numbers, wanted 16 for each of ${count} joints`);
        }
        if (shape !== null && shape.length !== 3 * this.vertexCount) {
            throw new TurgorError(`the shape has ${shape.length} numbers, wanted ${3 * this.vertexCount}`);
        }
        this.#array("joints", Float32Array, 12 * count).set(rows);
        if (shape !== null) {
            this.#array("shape", Float32Array, 3 * this.vertexCount).set(shape);
        }
        this.#pose = null;
        this.#wasm.turgorPoseOwn(this.#hero, time, shape !== null ? 1 : 0);
    }

    mirrorRotation(joint, rotation) {
        const { joints } = this;
        const twin = joints[joint].twin;
        if (twin < 0) {
            throw new TurgorError(`joint ${joints[joint].name} has none on the other side`);
        }
        const bind = this.#bindRotations();
        const above = (j) => (joints[j].parent >= 0 ? bind[joints[j].parent] : [0, 0, 0, 1]);
        const local = (j) => multiply(conjugate(above(j)), bind[j]);
        // How it turned in the model, across the plane between the two, and back to the other's axes.
        const turn = multiply(multiply(above(joint), multiply(rotation, conjugate(local(joint)))),
                              conjugate(above(joint)));
        const apart = joints[joint].position.map((x, k) => x - joints[twin].position[k]);
        const length = Math.hypot(...apart);
        const n = length > 1e-6 * this.bounds.diagonal ? apart.map((x) => x / length) : [1, 0, 0];
        const along = 2 * (turn[0] * n[0] + turn[1] * n[1] + turn[2] * n[2]);
        const mirrored = [along * n[0] - turn[0], along * n[1] - turn[1], along * n[2] - turn[2], turn[3]];
        return multiply(multiply(conjugate(above(twin)), multiply(mirrored, above(twin))), local(twin));
    }

    /** Rotations of all joints in the bind pose. */
    #bindRotations() {
        const rest = this.#told.restRotations ??= (() => {
            const now = this.#array("joints", Float32Array, 12 * this.#told.joints.length).slice();
            const turned = this.#array("rotations", Float32Array, 4 * this.#told.joints.length).slice();
            this.#array("rotations", Float32Array, 4 * this.#told.joints.length).fill(0);
            const pose = this.#pose;
            wasm.turgorPoseBind(this.#hero);
            const bind = this.#array("joints", Float32Array, 12 * this.#told.joints.length).slice();
            this.#array("rotations", Float32Array, 4 * this.#told.joints.length).set(turned);
            if (pose !== null) {
                pose(this.#hero);
            } else {
                this.#array("joints", Float32Array, 12 * this.#told.joints.length).set(now);
                wasm.turgorPose(this.#hero, this.animations.length > 0 ? 0 : -1, 0);
            }
            return this.joints.map((_, j) => rotationOfAxes(bind.subarray(12 * j, 12 * j + 9)));
        })();
        return rest;
    }

    reset() {
        this.#wasm.turgorReset(this.#hero);
    }

    // -- the frame --

    deform() {
        this.#wasm.turgorDeform(this.#hero) || fail();
        return this.#skin("positions", "normals");
    }

    deformBase(skinning) {
        const which = skinnings.indexOf(skinning);
        if (which < 0) {
            throw new TurgorError(`skinning is ${skinning}, wanted ${skinnings.join(" or ")}`);
        }
        this.#wasm.turgorDeformPlain(this.#hero, which) || fail();
        return this.#skin("plainPositions", "plainNormals");
    }

    #skin(positions, normals) {
        const count = 3 * this.vertexCount;
        return {
            positions: this.#array(positions, Float32Array, count),
            normals: this.#array(normals, Float32Array, count),
        };
    }

    // -- after a frame --

    volumes() {
        this.#wasm.turgorMeasure(this.#hero) || fail();
        const [rest, plain, target, corrected, residual] = numbers(5);
        return { rest, plain, target, corrected, residual };
    }

    losses() {
        return takeJson(this.#wasm.turgorTellLosses(this.#hero));
    }

    #values() {
        return this.#array("values", Float32Array, this.vertexCount);
    }

    gamma(joint) {
        this.#wasm.turgorGamma(this.#hero, joint) || fail();
        return this.#values();
    }

    weights(joint) {
        this.#wasm.turgorWeights(this.#hero, joint);
        return this.#values();
    }

    displacement() {
        this.#wasm.turgorDisplacement(this.#hero) || fail();
        return this.#values();
    }

    turnedFaces() {
        this.#wasm.turgorTurnedFaces(this.#hero);
        return this.#array("marks", Uint8Array, this.triangleCount);
    }

    frameOf(joint) {
        return takeJson(this.#wasm.turgorTellAxes(this.#hero, joint));
    }

    silhouette(joint, axis, from, to, count) {
        const out = new Float32Array(2 * count).fill(NaN);
        const frame = this.frameOf(joint);
        if (frame === null) {
            return out;
        }
        const parent = this.joints[joint].parent;
        const share = this.weights(joint).slice();
        if (parent >= 0) {
            this.weights(parent).forEach((weight, v) => (share[v] += weight));
        }
        const unit = this.joints[joint].boneLength || 1;
        const along = frame.restAxes[axis], across = frame.restAxes[axis === 2 ? 0 : 2];
        const rest = this.restPositions, origin = frame.restOrigin;
        const dot = (v, e) => ((rest[3 * v] - origin[0]) * e[0] + (rest[3 * v + 1] - origin[1]) * e[1] +
                               (rest[3 * v + 2] - origin[2]) * e[2]) / unit;
        const place = (v) => ((dot(v, along) - from) / (to - from)) * (count - 1);
        const widen = (at, value) => {
            out[2 * at] = out[2 * at] <= value ? out[2 * at] : value;
            out[2 * at + 1] = out[2 * at + 1] >= value ? out[2 * at + 1] : value;
        };
        // Sides of the triangles, wherever they cross a place.
        const { triangles } = this;
        for (let k = 0; k < triangles.length; ++k) {
            const a = triangles[k], b = triangles[k % 3 === 2 ? k - 2 : k + 1];
            if (share[a] < 0.5 && share[b] < 0.5) {
                continue;
            }
            const x = place(a), y = place(b), first = Math.max(Math.ceil(Math.min(x, y)), 0);
            const last = Math.min(Math.floor(Math.max(x, y)), count - 1);
            for (let at = first; at <= last; ++at) {
                const t = x === y ? 0 : (at - x) / (y - x);
                widen(at, (1 - t) * dot(a, across) + t * dot(b, across));
            }
        }
        return out;
    }

    flesh() {
        return takeJson(this.#wasm.turgorTellFleshMotion(this.#hero));
    }

    boneMeshes() {
        return Array.from({ length: this.#wasm.turgorGetBoneCount(this.#hero) }, (_, bone) => {
            wasm.turgorGetBone(this.#hero, bone);
            const [joint, positions, vertexCount, triangles, triangleCount] = numbers(5);
            return {
                joint,
                positions: floats(positions, 3 * vertexCount).slice(),
                triangles: new Uint32Array(wasm.memory.buffer, triangles, 3 * triangleCount).slice(),
            };
        });
    }

    stateHash() {
        return BigInt.asUintN(64, this.#wasm.turgorHash(this.#hero)).toString(16).padStart(16, "0");
    }

    // -- over a clip, files --

    measure(animation, fps = 30) {
        const hero = this.#hero, count = this.#wasm.turgorCountFrames(hero, animation, fps);
        const series = () => new Float64Array(count);
        const result = { times: series(), plain: series(), corrected: series(), target: series(),
                         losses: new Float64Array(this.joints.length) };
        wasm.turgorOpenGauge(hero) || fail();
        let frame = 0;
        const step = () => {
            if (frame < count) {
                this.#wasm.turgorGauge(this.#hero, animation, fps, frame) || fail();
                const [plain, corrected, target, time] = numbers(4);
                Object.entries({ plain, corrected, target, times: time })
                    .forEach(([name, value]) => (result[name][frame] = value));
                frame += 1;
            }
            if (frame === count) {
                this.#array("losses", Float64Array, this.joints.length)
                    .forEach((sum, j) => (result.losses[j] = sum / count));
            }
            return frame === count;
        };
        return makeJob({ step, progress: () => frame / count, result: () => result, close: () => {} });
    }

    bake(options = {}) {
        const [first, last] = options.frames ?? [0, 0x7fffffff];
        return this.#write(wasm.turgorOpenBake, options, [first, last, options.loop ? 1 : 0]);
    }

    correctives(options = {}) {
        return this.#write(wasm.turgorOpenCorrectives, { animation: "all", ...options },
                           [options.loop ? 1 : 0, options.maxError ?? 1e-3, options.targets ?? 0,
                            options.normals === false ? 0 : 1]);
    }

    /** A file from a scene of its own, read and settled as the command line does. */
    #write(open, options, more) {
        const { animation = this.animations.length > 0 ? 0 : -1, fps = 30 } = options;
        const which = animation === "all" ? -2 : animation;
        const scene = this.#source();
        const job = withText(this.#text, (text, size) => open(scene, text, size, which, fps, ...more)) ||
                    fail();
        const step = () => {
            const state = wasm.turgorStepJob(job);
            if (state === 0) {
                fail();
            }
            return state === 2;
        };
        const result = () => {
            const pointer = wasm.turgorGetJobBytes(job);
            return new Uint8Array(wasm.memory.buffer, pointer, numbers(1)[0]).slice();
        };
        return makeJob({ step, progress: () => wasm.turgorGetJobProgress(job), result,
                         close: () => wasm.turgorCloseJob(job) });
    }
}

/** Work in pieces. It is closed when it fails, when its result is taken, or when it is cancelled. */
function makeJob({ step, progress, result, close }) {
    let isOpen = true, isDone = false, taken = null;
    const end = () => {
        if (isOpen) {
            isOpen = false;
            close();
        }
    };
    return {
        get progress() {
            return isOpen && !isDone ? progress() : 1;
        },
        step() {
            if (isDone) {
                return true;
            }
            if (!isOpen) {
                throw new TurgorError("the work was cancelled");
            }
            try {
                isDone = step();
            } catch (error) {
                end();
                throw error;
            }
            return isDone;
        },
        run() {
            while (!this.step()) {
                // on to the next piece
            }
            return this.result();
        },
        result() {
            if (!isDone) {
                throw new TurgorError("the work is not done yet");
            }
            taken ??= result();
            end();
            return taken;
        },
        cancel: end,
    };
}

// ---- rotations -----------------------------------------------------------------------------------

function conjugate([x, y, z, w]) {
    return [-x, -y, -z, w];
}

function multiply(a, b) {
    return [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ];
}

/** Of three axes that may be scaled. */
function rotationOfAxes(m) {
    const unit = (k) => {
        const axis = [m[3 * k], m[3 * k + 1], m[3 * k + 2]], length = Math.hypot(...axis) || 1;
        return axis.map((x) => x / length);
    };
    const [x, y, z] = [unit(0), unit(1), unit(2)];
    const trace = x[0] + y[1] + z[2];
    let q;
    if (trace > 0) {
        q = [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace];
    } else if (x[0] >= y[1] && x[0] >= z[2]) {
        q = [1 + x[0] - y[1] - z[2], x[1] + y[0], x[2] + z[0], y[2] - z[1]];
    } else if (y[1] >= z[2]) {
        q = [x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1], z[0] - x[2]];
    } else {
        q = [x[2] + z[0], y[2] + z[1], 1 - x[0] - y[1] + z[2], x[1] - y[0]];
    }
    const length = Math.hypot(...q) || 1;
    return q.map((v) => v / length);
}
