// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is drawn over the skin: bones and joints, the axes of the selected joint, the cut, and the
// bone meshes under the skin.

import * as THREE from "three";
import type { BoneMesh, JointFrame, Vec3 } from "turgor";
import type { CharacterInfo, FrameAnswer } from "../engine/messages";
import type { View } from "../model/studio";
import { cutMesh } from "./section";

export const axisColors = [0xd9534f, 0x3f9d4e, 0x3a78d8];
export const skinColors = { linear: 0x8a93a3, corrected: 0xe0862b };

function makeLines(color: number, opacity: number, vertexColors = false): THREE.LineSegments {
  const material = new THREE.LineBasicMaterial({
    color,
    transparent: true,
    opacity,
    depthTest: false,
    vertexColors,
  });
  const lines = new THREE.LineSegments(new THREE.BufferGeometry(), material);
  lines.frustumCulled = false;
  lines.renderOrder = 5;
  return lines;
}

/** In place where as many as before. */
function put(geometry: THREE.BufferGeometry, name: string, values: ArrayLike<number>): void {
  const old = geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
  if (old !== undefined && old.array.length === values.length) {
    old.array.set(values);
    old.needsUpdate = true;
  } else {
    geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(values), 3));
  }
}

function fill(
  lines: THREE.LineSegments | THREE.Points,
  values: ArrayLike<number>,
  colors?: ArrayLike<number>,
): void {
  const old = lines.geometry.getAttribute("position") as THREE.BufferAttribute | undefined;
  if (old === undefined || old.array.length !== values.length) {
    lines.geometry.dispose();
    lines.geometry = new THREE.BufferGeometry();
  }
  put(lines.geometry, "position", values);
  if (colors !== undefined) {
    put(lines.geometry, "color", colors);
  }
}

/** A round dot of so many pixels. */
function makeDots(size: number): THREE.Points {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d")!;
  context.fillStyle = "white";
  context.beginPath();
  context.arc(32, 32, 27, 0, 7);
  context.fill();
  context.lineWidth = 8;
  context.strokeStyle = "rgba(0,0,0,0.55)";
  context.stroke();
  const material = new THREE.PointsMaterial({
    size,
    sizeAttenuation: false,
    map: new THREE.CanvasTexture(canvas),
    transparent: true,
    depthTest: false,
    vertexColors: true,
    alphaTest: 0.2,
  });
  const dots = new THREE.Points(new THREE.BufferGeometry(), material);
  dots.frustumCulled = false;
  dots.renderOrder = 6;
  return dots;
}

export class Overlay {
  readonly group = new THREE.Group();
  private readonly bones = makeLines(0x20242c, 0.65);
  private readonly dots = makeDots(9);
  private readonly axes = makeLines(0xffffff, 1, true);
  private readonly cuts = {
    linear: makeLines(skinColors.linear, 0.9),
    corrected: makeLines(skinColors.corrected, 1),
  };
  private readonly plane = new THREE.Mesh(
    new THREE.PlaneGeometry(1, 1),
    new THREE.MeshBasicMaterial({
      color: 0x5b8def,
      transparent: true,
      opacity: 0.14,
      side: THREE.DoubleSide,
      depthWrite: false,
    }),
  );
  private readonly boneMeshes = new THREE.Group();
  private readonly boneMaterial = new THREE.MeshBasicMaterial({
    color: 0xf3ead6,
    transparent: true,
    opacity: 0.5,
    depthTest: false,
  });
  private character: CharacterInfo | null = null;
  /** Where the joints are, 3 for each. */
  places = new Float32Array();
  /** The last cut: outlines in the axes of the plane, for a drawing of their own. */
  outlines: { linear: Float32Array; corrected: Float32Array } | null = null;
  hovered = -1;

  constructor() {
    this.plane.frustumCulled = false;
    this.group.add(
      this.boneMeshes,
      this.bones,
      this.dots,
      this.axes,
      this.cuts.linear,
      this.cuts.corrected,
      this.plane,
    );
  }

  setCharacter(character: CharacterInfo): void {
    this.character = character;
    this.hovered = -1;
  }

  setFrame(frame: FrameAnswer, view: View, selected: number): void {
    this.placeJoints(frame.joints);
    this.drawBones(view, selected);
    this.drawAxes(view, frame.frame);
    this.drawCut(view, frame);
    this.drawBoneMeshes(frame, view);
  }

  private placeJoints(matrices: Float32Array): void {
    const count = matrices.length / 16;
    if (this.places.length !== 3 * count) {
      this.places = new Float32Array(3 * count);
    }
    for (let j = 0; j < count; ++j) {
      this.places.set(matrices.subarray(16 * j + 12, 16 * j + 15), 3 * j);
    }
  }

  drawBones(view: View, selected: number): void {
    const joints = this.character?.joints ?? [];
    this.bones.visible = this.dots.visible = view.bones;
    if (!view.bones || this.places.length !== 3 * joints.length) {
      return;
    }
    const lines: number[] = [],
      colors: number[] = [];
    const at = (j: number): ArrayLike<number> => this.places.subarray(3 * j, 3 * j + 3);
    for (const joint of joints) {
      if (joint.parent >= 0) {
        lines.push(...Array.from(at(joint.parent)), ...Array.from(at(joint.index)));
      }
      const color =
        joint.index === selected
          ? [1, 0.55, 0.12]
          : joint.index === this.hovered
            ? [1, 0.85, 0.5]
            : joint.bends
              ? [0.92, 0.95, 1]
              : [0.55, 0.58, 0.64];
      colors.push(...color);
    }
    fill(this.bones, lines);
    fill(this.dots, this.places, colors);
  }

  private drawAxes(view: View, frame: JointFrame | null): void {
    this.axes.visible = view.axes && frame !== null;
    if (!view.axes || frame === null) {
      return;
    }
    const lines: number[] = [],
      colors: number[] = [];
    [frame.e0, frame.e1, frame.e2].forEach((axis, k) => {
      const color = new THREE.Color(axisColors[k]!);
      lines.push(...frame.origin, ...frame.origin.map((value, i) => value + 0.6 * frame.length * axis[i]!));
      colors.push(color.r, color.g, color.b, color.r, color.g, color.b);
    });
    fill(this.axes, lines, colors);
  }

  private drawCut(view: View, frame: FrameAnswer): void {
    const { frame: joint } = frame,
      linear = frame.bases.linear;
    const isOn = view.cut && joint !== null && this.character !== null && linear !== undefined;
    this.cuts.linear.visible = this.cuts.corrected.visible = this.plane.visible = isOn;
    this.outlines = null;
    if (!isOn) {
      return;
    }
    const axes = [joint.e0, joint.e1, joint.e2];
    const normal = axes[view.cutAxis]!,
      across = axes[(view.cutAxis + 1) % 3]!,
      up = axes[(view.cutAxis + 2) % 3]!;
    const origin = joint.origin.map((value, i) => value + view.cutOffset * joint.length * normal[i]!) as Vec3;
    const reach = 1.6 * joint.length;
    const triangles = this.character!.triangles;
    const cut = {
      linear: cutMesh(linear.positions, triangles, origin, normal, reach),
      corrected: cutMesh(frame.corrected.positions, triangles, origin, normal, reach),
    };
    fill(this.cuts.linear, cut.linear);
    fill(this.cuts.corrected, cut.corrected);
    const basis = new THREE.Matrix4().makeBasis(
      ...([across, up, normal].map((v) => new THREE.Vector3(...v)) as [
        THREE.Vector3,
        THREE.Vector3,
        THREE.Vector3,
      ]),
    );
    this.plane.quaternion.setFromRotationMatrix(basis);
    this.plane.position.set(...origin);
    this.plane.scale.setScalar(2.2 * joint.length);
    const flatten = (pieces: Float32Array): Float32Array => {
      const flat = new Float32Array((pieces.length / 3) * 2);
      for (let i = 0; i < pieces.length / 3; ++i) {
        [across, up].forEach((axis, k) => {
          flat[2 * i + k] =
            axis.reduce((sum, value, c) => sum + value * (pieces[3 * i + c]! - origin[c]!), 0) / joint.length;
        });
      }
      return flat;
    };
    this.outlines = { linear: flatten(cut.linear), corrected: flatten(cut.corrected) };
  }

  private drawBoneMeshes(frame: FrameAnswer, view: View): void {
    this.boneMeshes.visible = view.bones && frame.bones !== null;
    if (frame.bones === null) {
      this.clearBones();
      return;
    }
    if (this.boneMeshes.children.length !== frame.bones.length) {
      this.clearBones();
      this.boneMeshes.add(...frame.bones.map((bone) => this.makeBone(bone)));
    }
    frame.bones.forEach((bone, i) => {
      const mesh = this.boneMeshes.children[i]!;
      mesh.matrixAutoUpdate = false;
      mesh.matrix.fromArray(frame.joints, 16 * bone.joint);
    });
  }

  private makeBone(bone: BoneMesh): THREE.Mesh {
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(bone.triangles, 1));
    geometry.setAttribute("position", new THREE.BufferAttribute(bone.positions, 3));
    const mesh = new THREE.Mesh(geometry, this.boneMaterial);
    mesh.frustumCulled = false;
    mesh.renderOrder = 4;
    return mesh;
  }

  private clearBones(): void {
    this.boneMeshes.children.forEach((child) => (child as THREE.Mesh).geometry.dispose());
    this.boneMeshes.clear();
  }

  setDotSize(size: number): void {
    (this.dots.material as THREE.PointsMaterial).size = size * Math.min(window.devicePixelRatio, 2);
  }

  setDark(isDark: boolean): void {
    (this.bones.material as THREE.LineBasicMaterial).color.set(isDark ? 0xe8ecf4 : 0x20242c);
  }
}
