// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The pictures that a glTF's base colours are painted with, for the browser to decode. The core
// does not read them; what is wrong with them is no reason not to show a character.

import * as THREE from "three";
import type { Source } from "../engine/messages";

interface Gltf {
  images?: { uri?: string; bufferView?: number; mimeType?: string }[];
  textures?: { source?: number; sampler?: number }[];
  samplers?: { wrapS?: number; wrapT?: number }[];
  materials?: { pbrMetallicRoughness?: { baseColorTexture?: { index: number } } }[];
  bufferViews?: { buffer: number; byteOffset?: number; byteLength: number }[];
  buffers?: { uri?: string }[];
}

const jsonChunk = 0x4e4f534a,
  binaryChunk = 0x004e4942,
  magic = 0x46546c67;

function open(bytes: Uint8Array): { gltf: Gltf; binary: Uint8Array | null } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 20 || view.getUint32(0, true) !== magic) {
    return { gltf: JSON.parse(new TextDecoder().decode(bytes)) as Gltf, binary: null };
  }
  let gltf: Gltf = {},
    binary: Uint8Array | null = null;
  for (let at = 12; at + 8 <= bytes.byteLength; ) {
    const size = view.getUint32(at, true),
      type = view.getUint32(at + 4, true);
    const chunk = bytes.subarray(at + 8, at + 8 + size);
    if (type === jsonChunk) {
      gltf = JSON.parse(new TextDecoder().decode(chunk)) as Gltf;
    } else if (type === binaryChunk) {
      binary = chunk;
    }
    at += 8 + size;
  }
  return { gltf, binary };
}

async function readUri(uri: string, files: Source["files"]): Promise<Uint8Array | null> {
  if (uri.startsWith("data:")) {
    return new Uint8Array(await (await fetch(uri)).arrayBuffer());
  }
  return files?.[decodeURIComponent(uri)] ?? null;
}

async function readImage(
  gltf: Gltf,
  binary: Uint8Array | null,
  index: number,
  files: Source["files"],
): Promise<ImageBitmap | null> {
  const image = gltf.images?.[index];
  let bytes: Uint8Array | null = null;
  if (image?.uri !== undefined) {
    bytes = await readUri(image.uri, files);
  } else if (image?.bufferView !== undefined) {
    const place = gltf.bufferViews?.[image.bufferView];
    const uri = place !== undefined ? gltf.buffers?.[place.buffer]?.uri : undefined;
    const buffer = uri !== undefined ? await readUri(uri, files) : binary;
    bytes =
      place !== undefined && buffer !== null
        ? buffer.subarray(place.byteOffset ?? 0, (place.byteOffset ?? 0) + place.byteLength)
        : null;
  }
  return bytes === null
    ? null
    : createImageBitmap(new Blob([bytes as BlobPart], { type: image?.mimeType ?? "" }), {
        imageOrientation: "none",
      });
}

/** By the file's materials; null where one has none. */
export async function readTextures(source: Source): Promise<(THREE.Texture | null)[]> {
  if (source.bytes === undefined) {
    return [];
  }
  const { gltf, binary } = open(source.bytes);
  const wraps: Record<number, THREE.Wrapping> = {
    33071: THREE.ClampToEdgeWrapping,
    33648: THREE.MirroredRepeatWrapping,
    10497: THREE.RepeatWrapping,
  };
  return Promise.all(
    (gltf.materials ?? []).map(async (material) => {
      const texture = gltf.textures?.[material.pbrMetallicRoughness?.baseColorTexture?.index ?? -1];
      const bitmap = await readImage(gltf, binary, texture?.source ?? -1, source.files).catch(() => null);
      if (bitmap === null) {
        return null;
      }
      const sampler = gltf.samplers?.[texture?.sampler ?? -1];
      const made = new THREE.Texture(bitmap);
      made.flipY = false;
      made.colorSpace = THREE.SRGBColorSpace;
      made.wrapS = wraps[sampler?.wrapS ?? 10497] ?? THREE.RepeatWrapping;
      made.wrapT = wraps[sampler?.wrapT ?? 10497] ?? THREE.RepeatWrapping;
      made.needsUpdate = true;
      return made;
    }),
  );
}
