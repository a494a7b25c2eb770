// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is told: errors stay until they are read, notes go by themselves. One that belongs to a
// place, such as a file that was dropped, stands there.

import type { Topics } from "../model/studio";
import { button, h } from "./dom";

const noteTime = 5000,
  errorTime = 15000,
  mostToasts = 4;

export class Toasts {
  private readonly corner = h("div", { class: "toasts", role: "status", "aria-live": "polite" });

  constructor() {
    document.body.append(this.corner);
  }

  tell({ text, kind, at }: Topics["told"]): void {
    const same = [...document.querySelectorAll<HTMLElement>(".toast")].find((toast) => toast.dataset.text === text);
    same?.remove();
    const toast = h(
      "div",
      { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status", "data-text": text },
      h("p", { text }),
    );
    toast.append(button("Close", "cross", () => toast.remove(), { bare: true }));
    if (at !== undefined) {
      toast.classList.add("placed");
      document.body.append(toast);
      const box = toast.getBoundingClientRect();
      toast.style.left = `${Math.max(8, Math.min(window.innerWidth - box.width - 8, at.x - box.width / 2))}px`;
      toast.style.top = `${Math.max(8, Math.min(window.innerHeight - box.height - 8, at.y + 12))}px`;
      document.querySelectorAll(".toast.placed").forEach((old) => old !== toast && old.remove());
    } else {
      this.corner.append(toast);
      while (this.corner.childElementCount > mostToasts) {
        this.corner.firstElementChild!.remove();
      }
    }
    window.setTimeout(() => toast.remove(), kind === "error" ? errorTime : noteTime);
  }
}
