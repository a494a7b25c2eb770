// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The joints: as a tree with a search, or ranked by the volume that they lose.

import type { Joint } from "turgor";
import type { Studio } from "../model/studio";
import { h, segmented } from "./dom";

type Order = "tree" | "losses";

export class JointList {
  readonly element: HTMLElement;
  private readonly search = h("input", {
    type: "search",
    placeholder: "Search joints",
    "aria-label": "Search joints",
    spellcheck: "false",
  });
  private readonly list = h("ul", { class: "joints", role: "tree", "aria-label": "Joints" });
  private readonly empty = h("p", { class: "hint" });
  private readonly orders;
  private order: Order = "tree";
  private rows = new Map<number, HTMLElement>();
  private losses: number[] = [];

  constructor(
    private readonly studio: Studio,
    private readonly onOpen: (joint: number) => void,
  ) {
    this.orders = segmented<Order>(
      "Order of the joints",
      [
        ["tree", "Tree"],
        ["losses", "By loss"],
      ],
      (order) => {
        this.order = order;
        this.orders.set(order);
        this.rebuild();
      },
    );
    this.orders.set("tree");
    this.element = h(
      "div",
      { class: "jointlist" },
      h("div", { class: "head" }, this.search, this.orders.element),
      this.list,
      this.empty,
    );
    this.search.addEventListener("input", () => this.rebuild());
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") {
        event.preventDefault();
        this.visibleRows[0]?.focus();
      }
    });
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    studio.on("character", () => {
      this.losses = [];
      this.search.value = "";
      this.rebuild();
    });
    studio.on("selection", (joint) => {
      this.mark();
      if (this.list.clientHeight > 0) {
        this.rows.get(joint)?.scrollIntoView({ block: "nearest" });
      }
    });
    studio.on("work", () => this.markEdited());
    studio.on("clip", () => this.takeLosses());
    studio.on("frame", () => {
      if (studio.animation < 0) {
        // without a clip, what the pose loses
        this.takeLosses();
      }
    });
  }

  private takeLosses(): void {
    const { clip, character } = this.studio;
    const losses: number[] = new Array<number>(character?.joints.length ?? 0).fill(0);
    if (clip !== null) {
      clip.losses.forEach((taken, joint) => (losses[joint] = -taken));
    } else if (this.studio.animation < 0) {
      const volume = this.studio.volumes?.target || 1;
      this.studio.losses.forEach(({ joint, loss }) => (losses[joint] = loss / volume));
    } else {
      return;
    }
    const order = (values: number[]): string =>
      values
        .map((v, j) => [v, j] as const)
        .sort((a, b) => a[0] - b[0])
        .map((p) => p[1])
        .join();
    const isSameOrder = order(losses) === order(this.losses);
    this.losses = losses;
    if (this.order === "losses" && !isSameOrder) {
      this.rebuild();
    } else {
      this.mark();
    }
  }

  /** Parents before children, each with how deep it is; or by loss. */
  private arrange(): { joint: Joint; depth: number }[] {
    const joints = this.studio.character?.joints ?? [];
    if (this.order === "losses") {
      return joints
        .filter((joint) => joint.bends && Math.abs(this.losses[joint.index] ?? 0) > 1e-7)
        .sort((a, b) => this.losses[a.index]! - this.losses[b.index]!)
        .map((joint) => ({ joint, depth: 0 }));
    }
    const out: { joint: Joint; depth: number }[] = [];
    const visit = (joint: Joint, depth: number): void => {
      out.push({ joint, depth });
      joint.children.forEach((child) => visit(joints[child]!, depth + 1));
    };
    joints.filter((joint) => joint.parent < 0).forEach((root) => visit(root, 0));
    return out;
  }

  private rebuild(): void {
    const words = this.search.value
      .trim()
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    const fits = (joint: Joint): boolean => words.every((word) => joint.name.toLowerCase().includes(word));
    const found = this.arrange().filter(({ joint }) => fits(joint));
    this.rows.clear();
    for (const { joint, depth } of found) {
      const row = h(
        "li",
        {
          role: "treeitem",
          tabindex: "-1",
          "data-joint": joint.index,
          "aria-level": depth + 1,
          class: joint.bends ? "" : "still",
          title: joint.bends ? joint.name : `${joint.name}: no skin bends with it`,
          style: `--depth:${words.length > 0 ? 0 : Math.min(depth, 10)}`,
          onclick: () => this.choose(joint.index, false),
          ondblclick: () => this.onOpen(joint.index),
        },
        h("span", { class: "name", text: joint.name }),
        h("span", { class: "bar" }),
        h("span", { class: "loss" }),
      );
      this.rows.set(joint.index, row);
    }
    this.list.replaceChildren(...this.rows.values());
    this.list.dataset.order = this.order;
    this.empty.textContent =
      found.length > 0
        ? ""
        : words.length > 0
          ? "No joint is called so."
          : this.order === "losses"
            ? "No joint loses volume here."
            : "";
    this.mark();
  }

  private choose(joint: number, focus: boolean): void {
    this.studio.select(joint);
    if (focus) {
      this.rows.get(joint)?.focus();
    }
  }

  private mark(): void {
    const most = Math.max(1e-9, ...this.losses.map(Math.abs));
    this.markEdited();
    for (const [joint, row] of this.rows) {
      const isSelected = joint === this.studio.selected,
        loss = this.losses[joint] ?? 0;
      row.setAttribute("aria-selected", String(isSelected));
      row.tabIndex = isSelected ? 0 : -1;
      (row.children[1] as HTMLElement).style.setProperty("--part", String(Math.abs(loss) / most));
      row.children[2]!.textContent =
        Math.abs(loss) > 1e-6 ? `${(100 * loss).toFixed(Math.abs(loss) < 0.001 ? 3 : 2)} %` : "";
    }
    if (!this.rows.has(this.studio.selected) && this.visibleRows[0] !== undefined) {
      this.visibleRows[0].tabIndex = 0;
    }
  }

  private markEdited(): void {
    const { settings, rotations } = this.studio.work;
    const own = settings.volume?.joints ?? {};
    for (const [joint, row] of this.rows) {
      row.classList.toggle("edited", this.studio.character!.joints[joint]!.name in own || rotations.has(joint));
    }
  }

  private get visibleRows(): HTMLElement[] {
    return [...this.rows.values()];
  }

  private onKey(event: KeyboardEvent): void {
    const rows = this.visibleRows;
    const at = rows.indexOf(event.target as HTMLElement);
    const joint = Number((event.target as HTMLElement).dataset.joint);
    const parent = this.studio.character?.joints[joint]?.parent ?? -1;
    const child = this.studio.character?.joints[joint]?.children[0] ?? -1;
    let next = at;
    switch (event.key) {
      case "ArrowDown":
        next = at + 1;
        break;
      case "ArrowUp":
        next = at - 1;
        break;
      case "Home":
        next = 0;
        break;
      case "End":
        next = rows.length - 1;
        break;
      case "ArrowLeft":
        next = rows.findIndex((row) => Number(row.dataset.joint) === parent);
        break;
      case "ArrowRight":
        next = rows.findIndex((row) => Number(row.dataset.joint) === child);
        break;
      case "Enter":
        this.onOpen(joint);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
    const row = rows[next];
    if (row !== undefined && next !== at) {
      this.choose(Number(row.dataset.joint), true);
    }
  }
}
