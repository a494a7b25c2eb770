// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor/three: a three.js SkinnedMesh whose skin keeps its volume. The bones stay three's: animate
// them as ever, then call update().
import { BufferAttribute, DynamicDrawUsage, Matrix4, Mesh } from "three";
import * as embedded from "./turgor.js";

/** Joints of a skeleton, parents first; bones of others may lie between. */
function listJoints(skeleton) {
    const places = new Map(skeleton.bones.map((bone, i) => [bone, i]));
    const parentOf = (bone) => {
        let up = bone.parent;
        while (up !== null && !places.has(up)) {
            up = up.parent;
        }
        return up === null ? -1 : places.get(up);
    };
    const parents = skeleton.bones.map(parentOf);
    const depth = (i) => (parents[i] < 0 ? 0 : 1 + depth(parents[i]));
    const order = skeleton.bones.map((_, i) => i).sort((a, b) => depth(a) - depth(b) || a - b);
    const place = new Map(order.map((bone, i) => [bone, i]));
    return { order, place, parents: order.map((bone) => (parents[bone] < 0 ? -1 : place.get(parents[bone]))) };
}

/** Numbers of an attribute, whatever its type and layout. */
function readAttribute(attribute, size) {
    const out = new Float32Array(size * attribute.count);
    const read = ["getX", "getY", "getZ", "getW"];
    for (let i = 0; i < attribute.count; ++i) {
        for (let k = 0; k < size; ++k) {
            out[size * i + k] = attribute[read[k]](i);
        }
    }
    return out;
}

/** Weights that sum to 1, as shaders take them to. */
function normalizeWeights(weights) {
    for (let i = 0; i < weights.length; i += 4) {
        const sum = weights[i] + weights[i + 1] + weights[i + 2] + weights[i + 3];
        for (let k = 0; k < 4; ++k) {
            weights[i + k] = sum > 0 ? weights[i + k] / sum : k === 0 ? 1 : 0;
        }
    }
    return weights;
}

export class TurgorSkinnedMesh extends Mesh {
    #turgor;
    #joints;
    #character;
    #time = 0;
    #matrix = new Matrix4();
    #shape = null;

    constructor(source, { settings = {}, turgor = embedded } = {}) {
        if (source?.isSkinnedMesh !== true || !source.skeleton) {
            throw new turgor.TurgorError("TurgorSkinnedMesh wants a THREE.SkinnedMesh with a skeleton");
        }
        const geometry = source.geometry.clone();
        const { skinIndex, skinWeight } = geometry.attributes;
        // What shaders would do a second time.
        geometry.deleteAttribute("skinIndex");
        geometry.deleteAttribute("skinWeight");
        geometry.morphAttributes = {};
        super(geometry, source.material);
        this.name = source.name;
        this.source = source;
        this.isTurgorSkinnedMesh = true;
        this.frustumCulled = false; // its bounds move
        this.#turgor = turgor;
        this.#joints = listJoints(source.skeleton);
        this.#character = turgor.createCharacter(this.#makeDef(source, skinIndex, skinWeight, settings));
        for (const name of ["position", "normal"]) {
            const attribute = new BufferAttribute(new Float32Array(3 * this.#character.vertexCount), 3);
            attribute.setUsage(DynamicDrawUsage);
            geometry.setAttribute(name, attribute);
        }
        if (source.parent !== null) { // in its place
            source.parent.add(this);
            source.visible = false;
        }
        this.update(0);
    }

    #makeDef(source, skinIndex, skinWeight, settings) {
        const { skeleton, bindMatrix } = source, { order, place, parents } = this.#joints;
        const restJoints = new Float32Array(16 * order.length);
        const rest = new Matrix4();
        order.forEach((bone, j) => {
            // To the mesh's own space, where its vertices are.
            rest.copy(bindMatrix).invert().multiply(this.#matrix.copy(skeleton.boneInverses[bone]).invert());
            rest.toArray(restJoints, 16 * j);
        });
        const positions = readAttribute(source.geometry.attributes.position, 3);
        const { index, attributes } = source.geometry;
        return {
            positions,
            normals: attributes.normal ? readAttribute(attributes.normal, 3) : undefined,
            triangles: index ? Uint32Array.from(index.array) : Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
            jointNames: order.map((bone) => skeleton.bones[bone].name),
            jointParents: parents,
            restJoints,
            influencesPerVertex: 4,
            influenceJoints: Int32Array.from(readAttribute(skinIndex, 4), (bone) => place.get(bone) ?? 0),
            influenceWeights: normalizeWeights(readAttribute(skinWeight, 4)),
            settings,
        };
    }

    get character() {
        return this.#character;
    }

    /** The bind shape with the source's morph targets; null where there are none. */
    #getShape() {
        const { morphTargetInfluences: weights, geometry } = this.source;
        const targets = geometry.morphAttributes.position;
        if (!weights || !targets || weights.every((weight) => weight === 0)) {
            return null;
        }
        const rest = geometry.attributes.position;
        this.#shape = readAttribute(rest, 3);
        targets.forEach((target, t) => {
            const offsets = weights[t] === 0 ? null : readAttribute(target, 3);
            for (let i = 0; offsets !== null && i < offsets.length; ++i) {
                const base = geometry.morphTargetsRelative ? 0 : [rest.getX(i / 3 | 0), rest.getY(i / 3 | 0), rest.getZ(i / 3 | 0)][i % 3];
                this.#shape[i] += weights[t] * (offsets[i] - base);
            }
        });
        return this.#shape;
    }

    update(seconds = 1 / 60) {
        const { source } = this, { order } = this.#joints;
        source.updateWorldMatrix(true, false);
        source.skeleton.bones.forEach((bone) => bone.updateWorldMatrix(true, false));
        this.#time += seconds;
        const matrices = new Float32Array(16 * order.length);
        const toMesh = source.matrixWorld.clone().invert();
        order.forEach((bone, j) => {
            this.#matrix.copy(toMesh).multiply(source.skeleton.bones[bone].matrixWorld).toArray(matrices, 16 * j);
        });
        this.#character.setJoints(matrices, this.#time, this.#getShape());
        const { positions, normals } = this.#character.deform();
        const { position, normal } = this.geometry.attributes;
        position.array.set(positions);
        normal.array.set(normals);
        position.needsUpdate = normal.needsUpdate = true;
        this.position.copy(source.position);
        this.quaternion.copy(source.quaternion);
        this.scale.copy(source.scale);
        return this;
    }

    dispose() {
        this.#character.destroy();
        this.geometry.dispose();
        this.removeFromParent();
        this.source.visible = true;
    }
}
