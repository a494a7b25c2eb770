// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The package as a user installs it: packed, put into an empty folder by npm, imported there. Its skin
// has the bits of the command line, its files the bytes, its errors the words.
//
//   node test_package.mjs PACKAGE TURGOR ASSETS TOOLS
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [packageFolder, program, assets, tools] = process.argv.slice(2).map((path) => resolve(path));
if (!existsSync(program)) {
    console.log(`${program} is not there: build the preset release first; skipped`);
    process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "turgor-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

function run(command, args, options = {}) {
    const done = spawnSync(command, args, { encoding: "utf8", cwd: folder, ...options });
    assert.equal(done.status, 0, `${command} ${args.join(" ")}\n${done.stdout}${done.stderr}`);
    return done.stdout;
}

// ---- install -------------------------------------------------------------------------------------

const offline = ["--offline", "--no-audit", "--no-fund", "--silent"];
const tarball = run("npm", ["pack", packageFolder, "--pack-destination", folder, "--silent"]).trim();
writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}\n');
run("npm", ["install", join(folder, tarball), ...offline]);
const installed = join(folder, "node_modules/turgor");
const turgor = await import(pathToFileURL(join(installed, "turgor.js")));
await turgor.ready;
assert.equal(turgor.supported, true);

const at = (name) => join(folder, name);
const load = (name) => new Uint8Array(readFileSync(join(assets, name)));
let passed = 0;

async function test(name, body) {
    const start = performance.now();
    await body();
    passed += 1;
    console.log(`ok ${name} (${Math.round(performance.now() - start)} ms)`);
}

/** Positions of one frame, as the command line has them. */
function poseNatively(file, time, settings) {
    run(program, ["pose", file, "--time", String(time), "--settings", settings, "-o", at("pose.pc2")]);
    const bytes = readFileSync(at("pose.pc2"));
    return new Uint8Array(bytes.subarray(32)); // after the header
}

const toBytes = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice();

/** Files by name: those that are there, and embedded characters. */
const characters = ["CesiumMan.glb", "Fox.glb", "RiggedFigure.glb", "RiggedSimple.glb", "Q_Rat.glb"]
    .filter((name) => existsSync(join(assets, name)))
    .map((name) => ({ name, file: join(assets, name), bytes: load(name) }));
for (const name of ["elephant", "arm"]) {
    run(program, ["model", name, "-o", at(`${name}.glb`)]);
    characters.push({ name, file: at(`${name}.glb`), bytes: new Uint8Array(readFileSync(at(`${name}.glb`))) });
}

// ---- the same as the command line ----------------------------------------------------------------

await test("embedded characters are those of turgor model", () => {
    for (const name of ["elephant", "arm"]) {
        const file = readFileSync(at(`${name}.glb`));
        assert.ok(Buffer.compare(Buffer.from(turgor.modelBytes(name)), file) === 0, name);
    }
});

await test("skin has the bits of turgor pose, by every preset", () => {
    for (const { name, file, bytes } of characters) {
        const hero = turgor.loadCharacter(bytes);
        for (const preset of turgor.presetNames()) {
            hero.setPreset(preset);
            writeFileSync(at("settings.json"), hero.settingsText());
            const time = hero.animations.length > 0 ? 0.6 * hero.animations[0].end : 0;
            hero.reset();
            if (preset === "flesh") { // springs have swung before, frame by frame
                for (let frame = 0; frame / 30 < time - 1e-9; ++frame) {
                    hero.play(0, frame / 30);
                    hero.deform();
                }
            }
            hero.play(hero.animations.length > 0 ? 0 : -1, time);
            const { positions } = hero.deform();
            assert.ok(Buffer.compare(poseNatively(file, time, at("settings.json")), toBytes(positions)) === 0,
                      `${name} ${preset}`);
        }
        hero.destroy();
    }
});

await test("skin has them after changes, layers and refinement, too", () => {
    const { file, bytes } = characters.at(-1);
    const hero = turgor.loadCharacter(bytes);
    const changes = [
        { volume: { joints: { forearm: { profile: "curves", mu: [0.2, 0.3, 0.5], curves: [[[-1, 0], [0, 1], [1, 0]], [], []] } } } },
        { volume: { default: { profile: "rubber", sigma: 0.4, gain: 1.5 }, contact: false } },
        { volume: { target: [{ time: 0, scale: 1 }, { time: 1, scale: 1.05 }] }, bones: "auto" },
        { volume: { method: "local" }, skinning: "dual-quaternion" },
        { wrinkles: "auto", skinning: "blend" },
        { refine: { levels: 1 }, volume: { joints: { forearm: { profile: "folds" } } } },
        { volume: { method: "none" } },
    ];
    const lives = changes.map((settings) => {
        if (settings.volume?.joints && !hero.joints.some((joint) => joint.name === "forearm")) {
            settings.volume.joints = { [hero.joints[1].name]: settings.volume.joints.forearm };
        }
        const { live } = hero.apply(settings);
        writeFileSync(at("settings.json"), hero.settingsText());
        hero.reset();
        hero.play(0, 0.7);
        assert.ok(Buffer.compare(poseNatively(file, 0.7, at("settings.json")), toBytes(hero.deform().positions)) === 0,
                  JSON.stringify(settings));
        return live;
    });
    assert.deepEqual(lives, [true, true, true, false, false, false, false]);
    hero.destroy();
});

await test("baked and corrective files are the command line's, byte for byte", () => {
    for (const { name, file, bytes } of characters.filter(({ name }) => /Simple|Fox|arm/.test(name))) {
        const hero = turgor.loadCharacter(bytes, { settings: { volume: { default: { profile: "rubber" } } } });
        writeFileSync(at("settings.json"), hero.settingsText());
        const native = (...args) => {
            run(program, [args[0], file, "--settings", at("settings.json"), "--fps", "6", ...args.slice(1), "-o", at("out.glb")]);
            return readFileSync(at("out.glb"));
        };
        const same = (bytes, file, what) => assert.ok(Buffer.compare(Buffer.from(bytes), file) === 0, `${name} ${what}`);
        same(hero.bake({ fps: 6 }).run(), native("bake"), "bake");
        same(hero.bake({ fps: 6, animation: "all" }).run(), native("bake", "--animation", "all"), "bake of all");
        same(hero.bake({ fps: 6, frames: [1, 2] }).run(), native("bake", "--frames", "1:2"), "bake of some frames");
        same(hero.correctives({ fps: 6 }).run(), native("correctives"), "correctives");
        if (name === "arm") { // as nobody says otherwise: 30 frames a second
            same(hero.correctives().run(), native("correctives", "--fps", "30"), "correctives at 30 fps");
        }
        hero.destroy();
    }
});

await test("errors have the command line's words", () => {
    const hostile = { "empty.glb": "", "text.glb": "not a glTF", "magic.glb": "glTF\x02\0\0\0\xff\0\0\0",
                      "brace.gltf": "{", "list.gltf": "[]", "bare.gltf": '{"asset":{"version":"2.0"}}',
                      "old.gltf": '{"asset":{"version":"1.0"}}',
                      "buffer.gltf": '{"asset":{"version":"2.0"},"buffers":[{"byteLength":-1}]}' };
    for (const [name, text] of Object.entries(hostile)) {
        writeFileSync(at(name), text, "latin1");
        const told = spawnSync(program, ["bake", at(name), "-o", at("never.glb")], { encoding: "utf8" });
        const words = told.stderr.trim().split("\n").at(-1).replace(`turgor: ${at(name)}: `, "");
        assert.throws(() => turgor.loadCharacter(new Uint8Array(readFileSync(at(name)))),
                      (error) => error instanceof turgor.TurgorError && error.message === words, `${name}: ${words}`);
    }
    const hero = turgor.createModel("arm", 800);
    const before = hero.settingsText();
    const wrong = '{\n  "volume": {"joints": {"elbo": {"profile": "muscle"}}}\n}';
    run(program, ["model", "arm", "--vertices", "800", "-o", at("small.glb")]);
    writeFileSync(at("wrong.json"), wrong);
    const told = spawnSync(program, ["bake", at("small.glb"), "--settings", at("wrong.json"), "-o", at("never.glb")],
                           { encoding: "utf8" });
    const words = told.stderr.trim().replace(`turgor: ${at("wrong.json")}: `, "");
    assert.throws(() => hero.apply(wrong), (error) => error.message === words, words);
    assert.equal(hero.settingsText(), before);
    hero.play(0, 0.3);
    hero.deform(); // still there
    hero.destroy();
});

// ---- what only the package has -------------------------------------------------------------------

await test("joints, frames, heat maps and volumes", () => {
    const hero = turgor.createModel("arm");
    hero.play(0, 1);
    const { positions, normals } = hero.deform();
    assert.equal(positions.length, 3 * hero.vertexCount);
    assert.ok(normals.every(Number.isFinite));
    const kept = positions.slice();
    const { plain, target, corrected } = hero.volumes();
    assert.ok(Math.abs(corrected / target - 1) < 1e-6 && plain < 0.999 * target);
    const worst = hero.losses().reduce((a, b) => (a.loss < b.loss ? a : b));
    const frame = hero.frameOf(worst.joint);
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (const [a, b, wanted] of [["e0", "e0", 1], ["e1", "e1", 1], ["e2", "e2", 1], ["e0", "e1", 0], ["e0", "e2", 0], ["e1", "e2", 0]]) {
        assert.ok(Math.abs(dot(frame[a], frame[b]) - wanted) < 1e-5, `${a} ${b}`);
    }
    // e2 is the side that the bone bends towards: the hand is there.
    const matrices = hero.jointMatrices();
    const child = hero.joints[worst.joint].children[0];
    if (child !== undefined) {
        const to = [0, 1, 2].map((k) => matrices[16 * child + 12 + k] - frame.origin[k]);
        assert.ok(dot(to, frame.e2) > 0 && frame.bend > 0.5, JSON.stringify(frame));
    }
    const gamma = hero.gamma(worst.joint).slice();
    assert.ok(Math.max(...gamma) > 0.5 && Math.min(...gamma) >= 0);
    const sums = new Float32Array(hero.vertexCount);
    hero.joints.forEach((joint) => hero.weights(joint.index).forEach((weight, v) => (sums[v] += weight)));
    assert.ok(sums.every((sum) => Math.abs(sum - 1) < 1e-3));
    const base = hero.deformBase("linear").positions.slice();
    hero.displacement().forEach((distance, v) => {
        const moved = Math.hypot(...[0, 1, 2].map((k) => kept[3 * v + k] - base[3 * v + k]));
        assert.ok(Math.abs(moved - distance) < 1e-5);
    });
    assert.equal(hero.turnedFaces().length, hero.triangleCount);
    const outline = hero.silhouette(worst.joint, 0, -1, 1, 21);
    assert.ok(outline[20] < 0 && outline[21] > 0); // skin on both sides at the joint
    hero.destroy();
});

await test("turned joints turn, and turn back", () => {
    const hero = turgor.createModel("arm", 800);
    hero.playBind();
    const rest = hero.deform().positions.slice();
    const joint = hero.joints.find((each) => each.bends).index;
    const own = hero.rotationOf(joint), half = Math.SQRT1_2;
    const [x, y, z, w] = own, turn = [0, 0, half, half]; // a right angle about its own z
    hero.setRotation(joint, [x * half + y * half, y * half - x * half, w * half + z * half, w * half - z * half]);
    const turned = hero.deform().positions.slice();
    assert.ok(turned.some((value, i) => Math.abs(value - rest[i]) > 0.01 * hero.bounds.diagonal), String(turn));
    hero.clearRotations();
    assert.deepEqual(hero.deform().positions.slice(), rest);
    hero.destroy();
    const human = turgor.createModel("human");
    const left = human.joints.find((each) => each.twin >= 0);
    const back = human.mirrorRotation(left.twin, human.mirrorRotation(left.index, [0.1, 0.2, 0.3, 0.927]));
    [0.1, 0.2, 0.3, 0.927].forEach((value, k) => assert.ok(Math.abs(Math.abs(back[k]) - value) < 2e-3, String(back)));
    human.destroy();
});

await test("springs swing on while they are tuned, and while a page waits", () => {
    const hero = turgor.createModel("human", 0, { settings: { flesh: "auto" } });
    const length = (v) => Math.hypot(...v);
    const walk = hero.animations.length - 1;
    for (let frame = 0; frame < 20; ++frame) {
        hero.play(walk, frame / 30);
        hero.deform();
    }
    const before = hero.flesh();
    assert.ok(before.length > 0 && before.some(({ displacement }) => length(displacement) > 1e-4));
    const elements = hero.fleshElements().map((element) => ({ ...element, frequency: 6 }));
    assert.equal(hero.setFlesh(elements).live, true);
    assert.deepEqual(hero.flesh().map(({ displacement }) => displacement), before.map(({ displacement }) => displacement));
    hero.play(walk, 19 / 30); // the same time: nothing starts over
    hero.deform();
    assert.ok(hero.flesh().some(({ displacement }) => length(displacement) > 1e-4));
    for (let i = 0; i < 200; ++i) {
        hero.wait(0.1);
        hero.deform();
    }
    assert.ok(hero.flesh().every(({ displacement, limit }) => length(displacement) < 1e-2 * limit));
    hero.destroy();
});

await test("a clip is measured in steps, and the pose stays", () => {
    const hero = turgor.createModel("elephant");
    hero.play(0, 0.5);
    const before = hero.deform().positions.slice();
    const job = hero.measure(0, 5);
    let steps = 0;
    while (!job.step()) {
        steps += 1;
    }
    const { times, plain, corrected, target, losses } = job.result();
    assert.ok(steps > 2 && times.length === steps + 1);
    assert.ok(corrected.every((volume, i) => Math.abs(volume / target[i] - 1) < 1e-6));
    assert.ok(Math.min(...plain.map((volume, i) => volume / target[i])) < 0.97);
    assert.ok(Math.max(...losses) > 0.001);
    assert.deepEqual(hero.deform().positions.slice(), before);
    hero.destroy();
});

await test("memory is flat over many characters", () => {
    const bytes = turgor.modelBytes("arm");
    const once = () => {
        const hero = turgor.loadCharacter(bytes);
        hero.deform();
        hero.setContact(false);
        hero.volumes();
        const job = hero.bake({ fps: 2 });
        job.step();
        job.cancel();
        assert.throws(() => job.step());
        hero.destroy();
        assert.throws(() => hero.deform(), /destroyed/);
        assert.throws(() => turgor.loadCharacter(bytes, { settings: "{" }));
    };
    Array.from({ length: 5 }, once);
    const size = turgor.memorySize();
    Array.from({ length: 30 }, once);
    assert.equal(turgor.memorySize(), size);
});

await test("a character from arrays, and curves from every kind", () => {
    const file = turgor.createModel("arm", 800);
    const influences = 4, count = file.vertexCount;
    const influenceJoints = new Uint16Array(count * influences), influenceWeights = new Float32Array(count * influences);
    const used = new Uint8Array(count);
    file.joints.forEach(({ index }) => file.weights(index).forEach((weight, v) => {
        if (weight > 0) {
            influenceJoints[influences * v + used[v]] = index;
            influenceWeights[influences * v + used[v]++] = weight;
        }
    }));
    file.playBind();
    const own = turgor.createCharacter({
        positions: file.restPositions, triangles: file.triangles, jointNames: file.joints.map(({ name }) => name),
        jointParents: file.joints.map(({ parent }) => parent), restJoints: file.jointMatrices(),
        influencesPerVertex: influences, influenceJoints, influenceWeights,
    });
    file.play(0, 0.6);
    own.setJoints(file.jointMatrices(), 0.6);
    const wanted = file.deform().positions.slice();
    own.deform().positions.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-4));
    assert.throws(() => own.setJoints(new Float32Array(3)), turgor.TurgorError);
    const joint = file.joints.find(({ bends }) => bends).index;
    for (const kind of ["isotropic", "rubber", "muscle", "folds", "curves", "organic"]) {
        const curves = turgor.profileToCurves({ profile: kind });
        file.setProfiles(joint, curves);
        file.deform();
        const drawn = file.gamma(joint).slice();
        file.setProfiles(joint, { profile: kind });
        file.deform();
        if (["isotropic", "rubber", "folds"].includes(kind)) { // products of curves
            const own = file.gamma(joint).slice(), most = Math.max(...own), drawnMost = Math.max(...drawn);
            own.forEach((value, v) => { // curves have their peak at 1
                const off = Math.abs(value / most - drawn[v] / drawnMost);
                assert.ok(off < 0.1, `${kind} is off by ${off}`);
            });
        }
    }
    own.destroy();
    file.destroy();
});

await test("the entry that loads the module from beside itself", async () => {
    const other = await import(pathToFileURL(join(installed, "turgor_url.js")));
    await other.ready;
    const hero = other.createModel("arm", 800), same = turgor.createModel("arm", 800);
    hero.play(0, 0.5);
    same.play(0, 0.5);
    hero.deform();
    same.deform();
    assert.equal(hero.stateHash(), same.stateHash());
    hero.destroy();
    same.destroy();
});

if (existsSync(join(tools, "node_modules/three"))) {
    symlinkSync(join(tools, "node_modules/three"), join(folder, "node_modules/three"));
    await test("three.js shows the corrected skin", async () => {
        writeFileSync(at("three_test.mjs"), readFileSync(new URL("./three_test.mjs", import.meta.url)));
        console.log(run("node", ["three_test.mjs"]).trim());
    });
} else {
    console.log("three is not there (scripts/setup test): its test is skipped");
}

await test("the examples run as written", () => {
    const page = readFileSync(join(installed, "README.md"), "utf8");
    const examples = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
    assert.ok(examples.length >= 3, "wanted an example for each entry");
    writeFileSync(at("hero.glb"), turgor.modelBytes("arm"));
    examples.forEach((example, i) => {
        assert.ok(example.trim().split("\n").length <= 20, `example ${i} is longer than 20 lines`);
        if (!example.includes("three") || existsSync(join(folder, "node_modules/three"))) {
            writeFileSync(at(`example_${i}.mjs`), example);
            run("node", [`example_${i}.mjs`]);
        }
    });
});

console.log(`${passed} passed`);
