// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The view: camera, panes side by side or under a wiper, picking a joint, and the gizmo that turns
// it. It draws only when something changed.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import type { CharacterInfo, FrameAnswer, Quaternion } from "../engine/messages";
import type { Compare, SkinName, Studio } from "../model/studio";
import { Sharpness } from "./sharpness";
import { Overlay } from "./skeleton";
import { Skins } from "./skin";

/** Pixels within which a click means a joint. */
const pickRadius = 14;
/** Pixels that a click may move. */
const clickSlop = 5;

interface Pane {
  skin: SkinName;
  /** Of the view, 0 to 1: what the camera fills, and what of it is drawn. */
  left: number;
  width: number;
  clipLeft: number;
  clipWidth: number;
}

/** Whether pictures are drawn by the processor. */
function hasSlowGraphics(): boolean {
  const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  const name = names != null ? String(context!.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context === null || /swiftshader|llvmpipe|softpipe|software/i.test(name);
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly overlay = new Overlay();
  readonly skins = new Skins();
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  private readonly orbit: OrbitControls;
  private readonly gizmo: TransformControls;
  private readonly handle = new THREE.Object3D();
  private readonly ground: THREE.GridHelper;
  private readonly sharpness = new Sharpness(() => this.refresh());
  private isDirty = true;
  /** A picture was drawn that the browser has not shown yet. */
  private isUnderWay = false;
  /** Times of changes by hand that the next picture shows. */
  private waiting: number[] = [];
  private parentRotation = new THREE.Quaternion();
  private gestures = 0;
  private size = { width: 1, height: 1 };
  private isFirst = true;
  private compare: Compare = "one";
  /** Drawn by the processor: then edges stay rough, and pictures come in time. */
  private readonly isSlow: boolean;
  /** Milliseconds that drawing took, the last one. */
  drawTime = 0;
  onHover: (joint: number, x: number, y: number) => void = () => {};

  constructor(
    private readonly studio: Studio,
    private readonly host: HTMLElement,
    canvas: HTMLCanvasElement,
  ) {
    this.isSlow = hasSlowGraphics();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.isSlow, alpha: true });
    this.renderer.autoClear = false;
    this.renderer.setScissorTest(true);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = false;
    this.orbit.addEventListener("change", () => this.refresh());
    this.gizmo = new TransformControls(this.camera, canvas);
    this.gizmo.setMode("rotate");
    this.gizmo.setSpace("local");
    this.gizmo.setSize(0.75);
    this.ground = new THREE.GridHelper(1, 20);
    (this.ground.material as THREE.Material).transparent = true;
    (this.ground.material as THREE.Material).opacity = 0.3;
    this.scene.add(this.ground, this.skins.group, this.overlay.group, this.handle, this.gizmo.getHelper());
    this.connectGizmo();
    this.connectPicking(canvas);
    this.connectKeys(canvas);
    new ResizeObserver(() => this.resize()).observe(host);
    studio.on("character", (character) => this.setCharacter(character));
    studio.on("frame", (frame) => this.setFrame(frame));
    studio.on("selection", () => this.refresh());
    studio.on("view", (view) => this.setCompare(view.compare));
  }

  refresh(): void {
    this.isDirty = true;
  }

  setDark(isDark: boolean): void {
    this.overlay.setDark(isDark);
    (this.ground.material as THREE.LineBasicMaterial).color.set(isDark ? 0x9aa3b5 : 0x8a93a3);
    this.refresh();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.renderer.setSize(this.size.width, this.size.height, false);
    this.draw();
  }

  /** Fewer pixels while pictures come late; the canvas stays as large as it is. */
  private setSharpness(part: number): void {
    const ratio = part * (this.isSlow ? 1 : Math.min(window.devicePixelRatio, 2));
    if (ratio !== this.renderer.getPixelRatio()) {
      this.renderer.setPixelRatio(ratio);
    }
  }

  /** Nothing is left to be drawn, and all pixels are. */
  get isStill(): boolean {
    return !this.isDirty && !this.isUnderWay && this.sharpness.isSharp;
  }

  // ---- what is seen ----

  private setCharacter(character: CharacterInfo): void {
    const isSame = this.studio.frame?.character === character;
    this.skins.setCharacter(character, this.studio.source, () => this.refresh());
    this.overlay.setCharacter(character);
    if (!isSame) {
      this.isFirst = true;
    }
    this.refresh();
  }

  /** The whole character, from the side that shows most. */
  frameAll(): void {
    const positions = this.studio.frame?.corrected.positions ?? this.studio.character?.restPositions;
    if (positions === undefined) {
      return;
    }
    const box = new THREE.Box3().setFromArray(Array.from(positions));
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const direction = new THREE.Vector3(0.62, 0.28, 0.73).normalize();
    const distance = this.distanceFor(box, sphere.center, direction);
    this.camera.near = distance / 200;
    this.camera.far = distance * 20;
    this.camera.position.copy(sphere.center).add(direction.multiplyScalar(distance));
    this.orbit.target.copy(sphere.center);
    this.orbit.minDistance = sphere.radius / 50;
    this.orbit.maxDistance = distance * 8;
    this.ground.position.set(sphere.center.x, box.min.y, sphere.center.z);
    this.ground.scale.setScalar(4 * sphere.radius);
    this.orbit.update();
    this.refresh();
  }

  /** From where all corners of a box are in the picture, with a little room. */
  private distanceFor(box: THREE.Box3, center: THREE.Vector3, direction: THREE.Vector3): number {
    const right = new THREE.Vector3(0, 1, 0).cross(direction).normalize(),
      up = direction.clone().cross(right);
    const high = Math.tan((this.camera.fov * Math.PI) / 360),
      wide = (high * this.panes[0]!.width * this.size.width) / this.size.height;
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new THREE.Vector3(
        i & 1 ? box.max.x : box.min.x,
        i & 2 ? box.max.y : box.min.y,
        i & 4 ? box.max.z : box.min.z,
      ).sub(center);
      const needed = 1.12 * Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high);
      distance = Math.max(distance, corner.dot(direction) + needed);
    }
    return distance;
  }

  /** The camera goes to a joint. */
  lookAt(joint: number): void {
    const place = new THREE.Vector3().fromArray(this.overlay.places, 3 * joint);
    const radius = Math.max(
      this.studio.character?.joints[joint]?.radius ?? 0,
      0.04 * (this.studio.character?.bounds.diagonal ?? 1),
    );
    const direction = this.camera.position.clone().sub(this.orbit.target).normalize();
    this.orbit.target.copy(place);
    this.camera.position.copy(place).add(direction.multiplyScalar(14 * radius));
    this.orbit.update();
    this.refresh();
  }

  private setFrame(frame: FrameAnswer): void {
    this.skins.setFrame(frame, this.studio.view);
    this.overlay.setFrame(frame, this.studio.view, this.studio.selected);
    this.placeGizmo(frame);
    if (this.isFirst) {
      this.isFirst = false;
      this.frameAll();
    }
    const times = this.studio.takeShown();
    this.waiting.push(...times);
    if (times.length > 0 && !this.isUnderWay) {
      this.draw(); // a change by hand does not wait for the next picture
    } else {
      this.refresh();
    }
  }

  get panes(): Pane[] {
    const { compare, other, only, wiper } = this.studio.view;
    if (compare === "side") {
      return (["linear", "dual-quaternion", "corrected"] as const).map((skin, i) => ({
        skin,
        left: i / 3,
        width: 1 / 3,
        clipLeft: i / 3,
        clipWidth: 1 / 3,
      }));
    }
    const whole = { left: 0, width: 1 };
    return compare === "wiper"
      ? [
          { skin: other, ...whole, clipLeft: 0, clipWidth: wiper },
          { skin: "corrected", ...whole, clipLeft: wiper, clipWidth: 1 - wiper },
        ]
      : [{ skin: only, ...whole, clipLeft: 0, clipWidth: 1 }];
  }

  draw(): void {
    const begin = performance.now();
    this.setSharpness(this.sharpness.begin(begin));
    this.drawPanes();
    this.drawTime = performance.now() - begin;
    this.watch(begin);
  }

  /** Until the browser asks for the next picture, which it does once it has this one. */
  private watch(begin: number): void {
    const times = this.waiting;
    this.waiting = [];
    this.isUnderWay = true;
    this.studio.noteShown(times, this.studio.drawnLatencies);
    requestAnimationFrame(() => {
      this.isUnderWay = false;
      this.studio.noteShown(times);
      this.sharpness.end(performance.now() - begin);
    });
  }

  private drawPanes(): void {
    const { width, height } = this.size;
    const panes = this.panes;
    this.isDirty = false;
    this.overlay.drawBones(this.studio.view, this.studio.selected);
    this.overlay.setDotSize(panes.length > 2 || width < 500 ? 6 : 9);
    this.renderer.setScissor(0, 0, width, height);
    this.renderer.clear();
    for (const pane of panes) {
      const clipWidth = Math.round(pane.clipWidth * width);
      if (clipWidth <= 0) {
        continue;
      }
      this.camera.aspect = (pane.width * width) / height;
      this.camera.updateProjectionMatrix();
      this.renderer.setViewport(pane.left * width, 0, pane.width * width, height);
      this.renderer.setScissor(Math.round(pane.clipLeft * width), 0, clipWidth, height);
      this.skins.showOnly(pane.skin, this.studio.view);
      // The gizmo is taken where it can be: in one pane.
      this.gizmo.getHelper().visible = panes.length === 1 && this.gizmo.enabled && this.gizmo.object !== undefined;
      this.renderer.render(this.scene, this.camera);
    }
  }

  /** Panes that are narrower are seen from farther away, so that the character fits all of them. */
  private setCompare(compare: Compare): void {
    if (compare !== this.compare) {
      const need = (width: number): number => Math.max(1, (0.9 * this.size.height) / (width * this.size.width));
      const before = this.compare === "side" ? 1 / 3 : 1,
        after = compare === "side" ? 1 / 3 : 1;
      const away = this.camera.position
        .clone()
        .sub(this.orbit.target)
        .multiplyScalar(need(after) / need(before));
      this.camera.position.copy(this.orbit.target).add(away);
      this.compare = compare;
      this.orbit.update();
    }
    this.refresh();
  }

  /** Once for each picture of the screen. */
  tick(): void {
    if (this.isDirty) {
      this.draw();
    }
  }

  async takePicture(): Promise<Blob> {
    const helper = this.gizmo.getHelper();
    const wasVisible = helper.visible;
    this.setSharpness(1);
    this.drawPanes();
    helper.visible = wasVisible;
    return new Promise((resolve, reject) => {
      this.renderer.domElement.toBlob(
        (blob) => (blob !== null ? resolve(blob) : reject(new Error("no picture"))),
        "image/png",
      );
    });
  }

  // ---- the gizmo ----

  private connectGizmo(): void {
    this.gizmo.addEventListener("change", () => this.refresh());
    this.gizmo.addEventListener("dragging-changed", (event) => {
      this.orbit.enabled = !event.value;
      if (event.value) {
        this.gestures += 1;
        this.studio.setPlaying(false);
      } else {
        this.studio.history.seal();
      }
    });
    this.gizmo.addEventListener("objectChange", () => {
      const joint = this.studio.selected;
      const name = this.studio.character?.joints[joint]?.name;
      if (joint >= 0 && name !== undefined) {
        const rotation = this.parentRotation.clone().invert().multiply(this.handle.quaternion).normalize();
        this.studio.setRotation(
          `Turn ${name}`,
          joint,
          rotation.toArray() as Quaternion,
          `turn ${joint} ${this.gestures}`,
        );
      }
    });
  }

  /** On the joint, turned as it is; while it is dragged it is where the hand is. */
  private placeGizmo(frame: FrameAnswer): void {
    const joint = this.studio.selected;
    if (joint < 0 || frame.rotation === null) {
      this.gizmo.detach();
      return;
    }
    const position = new THREE.Vector3(),
      rotation = new THREE.Quaternion(),
      scale = new THREE.Vector3();
    new THREE.Matrix4().fromArray(frame.joints, 16 * joint).decompose(position, rotation, scale);
    this.handle.position.copy(position);
    if (!this.gizmo.dragging) {
      this.handle.quaternion.copy(rotation);
      this.parentRotation
        .copy(rotation)
        .multiply(new THREE.Quaternion(...frame.rotation).invert())
        .normalize();
    }
    this.handle.updateMatrixWorld();
    if (this.gizmo.object !== this.handle) {
      this.gizmo.attach(this.handle);
    }
  }

  setGizmo(isOn: boolean): void {
    this.gizmo.enabled = isOn;
    this.refresh();
  }

  get isGizmoOn(): boolean {
    return this.gizmo.enabled;
  }

  // ---- picking ----

  /** In pixels of the view, of the first pane; null behind the camera. */
  project(joint: number, pane = 0): { x: number; y: number } | null {
    const { left, width } = this.panes[pane]!;
    const point = new THREE.Vector3().fromArray(this.overlay.places, 3 * joint).project(this.camera);
    return point.z < 1
      ? {
          x: (left + (point.x * 0.5 + 0.5) * width) * this.size.width,
          y: (0.5 - point.y * 0.5) * this.size.height,
        }
      : null;
  }

  private paneAt(x: number): number {
    return Math.max(
      0,
      this.panes.findIndex((pane) => {
        const at = x / this.size.width;
        return at >= pane.clipLeft && at < pane.clipLeft + pane.clipWidth;
      }),
    );
  }

  /** The joint whose dot is there, else the one nearest to the skin that is there; -1 for none. */
  pick(x: number, y: number, alsoSkin: boolean): number {
    const joints = this.studio.character?.joints ?? [];
    const pane = this.paneAt(x);
    let best = -1,
      nearest = pickRadius;
    for (const joint of this.studio.view.bones ? joints : []) {
      const place = this.project(joint.index, pane);
      // Of joints in one place, the one that bends skin.
      const distance = place !== null ? Math.hypot(place.x - x, place.y - y) - (joint.bends ? 2 : 0) : Infinity;
      if (distance < nearest) {
        nearest = distance;
        best = joint.index;
      }
    }
    return best >= 0 || !alsoSkin ? best : this.pickSkin(x, y, pane);
  }

  private pickSkin(x: number, y: number, pane: number): number {
    const mesh = this.skins.corrected;
    const { left, width } = this.panes[pane]!;
    if (mesh === undefined) {
      return -1;
    }
    const caster = new THREE.Raycaster();
    caster.setFromCamera(
      new THREE.Vector2(2 * ((x / this.size.width - left) / width) - 1, 1 - (2 * y) / this.size.height),
      this.camera,
    );
    mesh.visible = true;
    const hit = caster.intersectObject(mesh, false)[0];
    if (hit === undefined) {
      return -1;
    }
    let best = -1,
      nearest = Infinity;
    for (const joint of this.studio.character?.joints ?? []) {
      const distance = hit.point.distanceTo(new THREE.Vector3().fromArray(this.overlay.places, 3 * joint.index));
      if (joint.bends && distance < nearest) {
        nearest = distance;
        best = joint.index;
      }
    }
    return best;
  }

  private connectPicking(canvas: HTMLCanvasElement): void {
    let down: { x: number; y: number } | null = null;
    const place = (event: PointerEvent): { x: number; y: number } => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    canvas.addEventListener("pointerdown", (event) => {
      down = event.button === 0 && !this.isOverGizmo ? place(event) : null;
    });
    canvas.addEventListener("pointerup", (event) => {
      const up = place(event);
      if (down !== null && Math.hypot(up.x - down.x, up.y - down.y) <= clickSlop) {
        const joint = this.pick(up.x, up.y, true);
        if (joint >= 0) {
          this.studio.select(joint);
        }
      }
      down = null;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0 || event.pointerType === "touch") {
        return;
      }
      const { x, y } = place(event);
      const joint = this.pick(x, y, false);
      if (joint !== this.overlay.hovered) {
        this.overlay.hovered = joint;
        this.refresh();
      }
      this.onHover(joint, x, y);
    });
    canvas.addEventListener("pointerleave", () => {
      this.overlay.hovered = -1;
      this.onHover(-1, 0, 0);
      this.refresh();
    });
    canvas.addEventListener("dblclick", (event) => {
      const box = canvas.getBoundingClientRect();
      const joint = this.pick(event.clientX - box.left, event.clientY - box.top, true);
      if (joint >= 0) {
        this.lookAt(joint);
      }
    });
  }

  private get isOverGizmo(): boolean {
    return this.gizmo.enabled && this.gizmo.axis !== null && this.panes.length === 1;
  }

  // ---- keys ----

  private connectKeys(canvas: HTMLCanvasElement): void {
    const turns: Record<string, [number, number]> = {
      ArrowLeft: [-0.1, 0],
      ArrowRight: [0.1, 0],
      ArrowUp: [0, -0.1],
      ArrowDown: [0, 0.1],
    };
    canvas.addEventListener("keydown", (event) => {
      const turn = turns[event.key];
      const zoom = event.key === "+" || event.key === "=" ? 0.9 : event.key === "-" ? 1 / 0.9 : 0;
      if (turn === undefined && zoom === 0) {
        return;
      }
      event.preventDefault();
      const away = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(this.orbit.target));
      if (turn !== undefined) {
        away.theta += turn[0];
        away.phi = Math.max(0.05, Math.min(Math.PI - 0.05, away.phi + turn[1]));
      } else {
        away.radius *= zoom;
      }
      this.camera.position.setFromSpherical(away).add(this.orbit.target);
      this.orbit.update();
      this.refresh();
    });
  }

  /** For tests: where the camera stands. */
  get cameraPlace(): number[] {
    return this.camera.position.toArray();
  }
}
