// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// TurgorSkinnedMesh: at rest it is the mesh itself; bent, it encloses the volume that it had, which
// three's own skinning does not. Volumes by triangles, positions by three's applyBoneTransform.
import assert from "node:assert/strict";
import * as THREE from "three";
import { ready } from "turgor";
import { TurgorSkinnedMesh } from "turgor/three";

await ready;

/** A closed tube of two bones, its seam open in texture space. */
function makeTube() {
    const geometry = new THREE.CylinderGeometry(0.3, 0.3, 2, 24, 32);
    const { position } = geometry.attributes, indices = [], weights = [];
    for (let i = 0; i < position.count; ++i) {
        const weight = Math.min(Math.max(0.5 + position.getY(i), 0), 1);
        indices.push(1, 0, 0, 0); // the upper one first: order must not matter
        weights.push(weight, 1 - weight, 0, 0);
    }
    geometry.setAttribute("skinIndex", new THREE.Uint16BufferAttribute(indices, 4));
    geometry.setAttribute("skinWeight", new THREE.Float32BufferAttribute(weights, 4));
    const lower = new THREE.Bone(), upper = new THREE.Bone();
    lower.name = "lower";
    upper.name = "upper";
    lower.position.y = -1;
    upper.position.y = 1;
    lower.add(upper);
    const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial());
    mesh.add(lower);
    mesh.position.set(3, 1, -2); // a model that stands elsewhere
    mesh.rotation.y = 0.7;
    mesh.updateMatrixWorld(true);
    mesh.bind(new THREE.Skeleton([lower, upper]));
    return { mesh, upper };
}

function measure(geometry, get) {
    const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
    let volume = 0;
    for (let i = 0; i < geometry.index.count; i += 3) {
        get(geometry.index.getX(i), a);
        get(geometry.index.getX(i + 1), b);
        get(geometry.index.getX(i + 2), c);
        volume += a.dot(b.cross(c)) / 6;
    }
    return volume;
}

const { mesh, upper } = makeTube();
const scene = new THREE.Scene();
scene.add(mesh);
scene.updateMatrixWorld(true);
const skin = new TurgorSkinnedMesh(mesh);
assert.equal(skin.parent, scene);
assert.equal(mesh.visible, false);
const own = (i, v) => v.fromBufferAttribute(skin.geometry.attributes.position, i);
const threes = (i, v) => mesh.applyBoneTransform(i, v.fromBufferAttribute(mesh.geometry.attributes.position, i));

const rest = measure(mesh.geometry, threes);
let farthest = 0;
for (let i = 0; i < mesh.geometry.attributes.position.count; ++i) {
    farthest = Math.max(farthest, own(i, new THREE.Vector3()).distanceTo(threes(i, new THREE.Vector3())));
}
assert.ok(farthest < 1e-5, `at rest it is off by ${farthest}`);
assert.ok(Math.abs(measure(mesh.geometry, own) / rest - 1) < 1e-6);

upper.rotation.z = 2;
scene.updateMatrixWorld(true);
skin.update(1 / 60);
const plain = measure(mesh.geometry, threes) / rest, kept = measure(mesh.geometry, own) / rest;
assert.ok(plain < 0.97 && Math.abs(kept - 1) < 1e-5, `plain ${plain}, kept ${kept}`);
const { position, normal } = skin.geometry.attributes;
assert.ok(position.usage === THREE.DynamicDrawUsage && position.version > 1);
assert.ok(Array.from(normal.array).every(Number.isFinite));

skin.character.setProfiles(1, { profile: "muscle" }); // live, by the names of bones
skin.update(1 / 60);
assert.ok(Math.abs(measure(mesh.geometry, own) / rest - 1) < 1e-5);
assert.throws(() => new TurgorSkinnedMesh(new THREE.Mesh()), /SkinnedMesh/);
skin.dispose();
assert.equal(mesh.visible, true);
console.log(`plain skinning keeps ${plain.toFixed(3)} of the volume, turgor ${kept.toFixed(6)}`);
