// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
import type { Mesh, SkinnedMesh } from "three";
import type { Character, Settings } from "./turgor.js";

export interface TurgorSkinnedMeshOptions {
    /** As in a settings file; joints by the names of the bones. */
    settings?: string | Settings;
    /** The other entry, `import * as turgor from "turgor/url"`; else the one with the module inside. */
    turgor?: typeof import("./turgor.js");
}

/** Shows a SkinnedMesh with a skin that keeps its volume, in its place: positions and normals are made on
 *  the CPU, into dynamic attributes. Wait for `ready` of the entry before you make one. */
export class TurgorSkinnedMesh extends Mesh {
    /** The mesh is hidden where it stands in a scene; its bones stay what is animated. */
    constructor(source: SkinnedMesh, options?: TurgorSkinnedMeshOptions);
    readonly source: SkinnedMesh;
    /** For settings, volumes, heat maps. */
    readonly character: Character;
    /** After the mixer.
     *  @param seconds since the last one, for flesh and breathing; 1/60 */
    update(seconds?: number): this;
    /** Free it, and show the source again. */
    dispose(): void;
}
