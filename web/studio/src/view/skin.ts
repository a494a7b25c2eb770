// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The skins that are compared: the same triangles, other positions. The arrays of a frame are used
// as they come; the GPU's copies stay when they go back to the worker.

import * as THREE from "three";
import type { CharacterInfo, FrameAnswer, SkinArrays, Source } from "../engine/messages";
import type { SkinName, View } from "../model/studio";
import { fillColors, largest } from "./colors";
import { readTextures } from "./textures";

export const skinNames: SkinName[] = ["linear", "dual-quaternion", "corrected"];

/** A ball as clay looks in a studio: light from above, a rim, a warm shade. */
function makeClay(): THREE.Texture {
  const size = 128;
  const data = new Uint8Array(4 * size * size);
  for (let y = 0; y < size; ++y) {
    for (let x = 0; x < size; ++x) {
      const nx = (2 * (x + 0.5)) / size - 1,
        ny = (2 * (y + 0.5)) / size - 1;
      const nz = Math.sqrt(Math.max(0, 1 - nx * nx - ny * ny));
      const key = Math.max(0, -0.42 * nx + 0.62 * ny + 0.66 * nz),
        fill = Math.max(0, 0.75 * nx - 0.1 * ny + 0.4 * nz);
      const rim = Math.pow(1 - nz, 3),
        half = Math.max(0, -0.24 * nx + 0.36 * ny + 0.9 * nz);
      const light = 0.36 + 0.58 * key + 0.14 * fill + 0.08 * rim + 0.14 * Math.pow(half, 24);
      const at = 4 * (y * size + x);
      data[at] = 255 * Math.min(1, light * (1.02 - 0.02 * key));
      data[at + 1] = 255 * Math.min(1, light * 0.985);
      data[at + 2] = 255 * Math.min(1, light * (0.97 + 0.05 * fill));
      data[at + 3] = 255;
    }
  }
  const texture = new THREE.DataTexture(data, size, size);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.magFilter = texture.minFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

const clay = new THREE.Color(0.66, 0.6, 0.55);

export class Skins {
  readonly group = new THREE.Group();
  private readonly matcap = makeClay();
  private readonly plain: THREE.MeshMatcapMaterial[] = [];
  private readonly textured: THREE.MeshMatcapMaterial[] = [];
  private readonly heat = new THREE.MeshMatcapMaterial({
    matcap: this.matcap,
    vertexColors: true,
    side: THREE.DoubleSide,
  });
  private readonly red = new THREE.MeshBasicMaterial({
    color: 0xe02040,
    side: THREE.DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  });
  private readonly wire = new THREE.MeshBasicMaterial({
    color: 0x000000,
    wireframe: true,
    transparent: true,
    opacity: 0.18,
  });
  private meshes = new Map<SkinName, THREE.Mesh>();
  private wires = new Map<SkinName, THREE.Mesh>();
  private turned: THREE.Mesh | null = null;
  private colors: THREE.BufferAttribute | null = null;
  private triangles = new Uint32Array();
  private textures: THREE.Texture[] = [];
  private loads = 0;
  private diagonal = 1;
  /** What is red at its reddest, in the unit of what is shown. */
  legendMost = 0;
  /** How many faces are inside out. */
  turnedCount = 0;

  /** Another character, or another mesh of it. */
  setCharacter(character: CharacterInfo, source: Source | null, onChange: () => void): void {
    this.clear();
    this.diagonal = character.bounds.diagonal;
    this.triangles = character.triangles;
    const index = new THREE.BufferAttribute(character.triangles, 1);
    const uv = character.uvs !== null ? new THREE.BufferAttribute(character.uvs, 2) : null;
    this.colors = new THREE.BufferAttribute(new Uint8Array(3 * character.vertexCount), 3, true);
    this.makeMaterials(character);
    for (const name of skinNames) {
      const geometry = new THREE.BufferGeometry();
      geometry.setIndex(index);
      for (const [key, count] of [
        ["position", 3],
        ["normal", 3],
      ] as const) {
        const array =
          key === "position" ? character.restPositions.slice() : new Float32Array(3 * character.vertexCount);
        geometry.setAttribute(key, new THREE.BufferAttribute(array, count).setUsage(THREE.DynamicDrawUsage));
      }
      if (uv !== null) {
        geometry.setAttribute("uv", uv);
      }
      geometry.setAttribute("color", this.colors);
      for (const part of character.parts) {
        geometry.addGroup(3 * part.firstTriangle, 3 * part.triangleCount, this.indexOf(part.material));
      }
      const mesh = new THREE.Mesh(geometry, this.plain);
      const wires = new THREE.Mesh(geometry, this.wire);
      mesh.frustumCulled = wires.frustumCulled = false; // it moves, and is always looked at
      mesh.name = name;
      this.meshes.set(name, mesh);
      this.wires.set(name, wires);
      this.group.add(mesh, wires);
    }
    this.turned = new THREE.Mesh(new THREE.BufferGeometry(), this.red);
    this.turned.frustumCulled = false;
    this.group.add(this.turned);
    if (source !== null) {
      void this.loadTextures(source, onChange);
    }
  }

  private indexOf(material: number): number {
    return material >= 0 && material < this.plain.length - 1 ? material : this.plain.length - 1;
  }

  private makeMaterials(character: CharacterInfo): void {
    // The last one is for parts that name none.
    const colors = [
      ...character.materials.map((material) => new THREE.Color().fromArray(material.baseColor)),
      clay,
    ];
    for (const color of colors) {
      // White is the colour of files whose colour is a texture; clay shows shape better.
      const isWhite = color.getHSL({ h: 0, s: 0, l: 0 }).s < 0.05 && color.r > 0.6;
      // Dark skin hides its shape: it is shown half way to clay.
      const shown = isWhite
        ? clay
        : color.clone().lerp(clay, Math.max(0, 0.6 - color.getHSL({ h: 0, s: 0, l: 0 }).l));
      const options = { matcap: this.matcap, side: THREE.DoubleSide, color: shown };
      this.plain.push(new THREE.MeshMatcapMaterial(options));
      this.textured.push(new THREE.MeshMatcapMaterial(options));
    }
  }

  private async loadTextures(source: Source, onChange: () => void): Promise<void> {
    const load = ++this.loads;
    const textures = await readTextures(source).catch(() => []);
    if (load !== this.loads) {
      textures.forEach((texture) => texture?.dispose());
      return;
    }
    textures.forEach((texture, i) => {
      const material = this.textured[i];
      if (texture !== null && material !== undefined) {
        this.textures.push(texture);
        material.map = texture;
        material.color = new THREE.Color(1, 1, 1);
        material.needsUpdate = true;
      }
    });
    onChange();
  }

  get hasTextures(): boolean {
    return this.textures.length > 0;
  }

  setFrame(frame: FrameAnswer, view: View): void {
    this.put("corrected", frame.corrected);
    for (const [name, skin] of Object.entries(frame.bases)) {
      this.put(name as SkinName, skin);
    }
    if (frame.channel !== null && this.colors !== null) {
      const reddest = largest(frame.channel);
      // Weights and gamma are parts of 1; a displacement has the size that it has.
      this.legendMost = view.show === "displacement" ? Math.max(reddest, 1e-4 * this.diagonal) : 1;
      fillColors(frame.channel, this.legendMost, this.colors.array as Uint8Array);
      this.colors.needsUpdate = true;
    }
    this.showTurned(frame);
  }

  private put(name: SkinName, skin: SkinArrays): void {
    const mesh = this.meshes.get(name);
    if (mesh === undefined) {
      return;
    }
    for (const [key, array] of [
      ["position", skin.positions],
      ["normal", skin.normals],
    ] as const) {
      const attribute = mesh.geometry.getAttribute(key) as THREE.BufferAttribute;
      if (attribute.array.length === array.length || attribute.array.length === 0) {
        attribute.array = array;
        attribute.needsUpdate = true;
      }
    }
    mesh.geometry.boundingSphere = null; // for picking
  }

  private showTurned(frame: FrameAnswer): void {
    this.turnedCount = 0;
    if (this.turned === null || frame.turned === null) {
      this.turned!.visible = false;
      return;
    }
    const corners: number[] = [];
    frame.turned.forEach((isTurned, f) => {
      if (isTurned !== 0) {
        corners.push(this.triangles[3 * f]!, this.triangles[3 * f + 1]!, this.triangles[3 * f + 2]!);
      }
    });
    this.turnedCount = corners.length / 3;
    this.turned.geometry.dispose();
    this.turned.geometry = new THREE.BufferGeometry();
    this.turned.geometry.setIndex(corners);
    this.turned.geometry.setAttribute("position", this.meshes.get("corrected")!.geometry.getAttribute("position"));
    this.turned.visible = corners.length > 0;
  }

  /** Only this one, before a pane is drawn. */
  showOnly(name: SkinName, view: View): void {
    const isHeat = view.show !== "skin" && view.show !== "turned" && name === "corrected";
    const materials = isHeat ? this.heat : view.texture && view.show === "skin" ? this.textured : this.plain;
    for (const [other, mesh] of this.meshes) {
      mesh.visible = other === name;
      mesh.material = materials;
      this.wires.get(other)!.visible = mesh.visible && view.wires;
    }
    if (this.turned !== null) {
      this.turned.visible = view.show === "turned" && name === "corrected" && this.turnedCount > 0;
    }
  }

  get corrected(): THREE.Mesh | undefined {
    return this.meshes.get("corrected");
  }

  private clear(): void {
    this.loads += 1;
    this.group.clear();
    for (const mesh of [...this.meshes.values(), ...(this.turned !== null ? [this.turned] : [])]) {
      mesh.geometry.dispose();
    }
    [...this.plain, ...this.textured, ...this.textures].forEach((owned) => owned.dispose());
    this.textures.forEach((texture) => (texture.image as ImageBitmap).close());
    this.plain.length = this.textured.length = this.textures.length = 0;
    this.meshes.clear();
    this.wires.clear();
    this.turned = null;
  }
}
