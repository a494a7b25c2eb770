// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE: the page is put together. Each part listens to the studio's topics; none knows
// another.

import "./style.css";
import { Studio } from "./model/studio";
import { BodyPanel, FleshPanel } from "./ui/body";
import { button, find, h, segmented } from "./ui/dom";
import { Files } from "./ui/files";
import { JointPanel } from "./ui/joint";
import { Timeline } from "./ui/timeline";
import { Toasts } from "./ui/toasts";
import { JointList } from "./ui/tree";
import { ViewBar } from "./ui/viewbar";
import { Stage } from "./view/stage";

type Theme = "auto" | "light" | "dark";
type Tab = "joints" | "joint" | "flesh" | "body" | "volume";

const studio = new Studio();
const stage = new Stage(studio, find("#view"), find<HTMLCanvasElement>("#view canvas"));
const toasts = new Toasts();
const files = new Files(studio, stage);
const timeline = new Timeline(studio);

// ---- themes --------------------------------------------------------------------------------------

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

function readTheme(): Theme {
  try {
    return (localStorage.getItem("theme") as Theme | null) ?? "auto";
  } catch {
    return "auto"; // where nothing may be kept
  }
}

function setTheme(theme: Theme): void {
  const isDark = theme === "dark" || (theme === "auto" && prefersDark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // It holds until the page is closed.
  }
  stage.setDark(isDark);
  timeline.redraw();
}

prefersDark.addEventListener("change", () => setTheme(readTheme()));

// ---- the bar on top ------------------------------------------------------------------------------

const fileName = h("span", { class: "filename" });
const speed = h("output", {
  class: "speed",
  title: "Milliseconds that the core takes for a frame, and the picture",
});
const undo = button("Undo", "undo", () => studio.undo(), { bare: true });
const redo = button("Redo", "redo", () => studio.redo(), { bare: true });
const log = h("ol", { class: "log menu", hidden: true, "aria-label": "What was done" });
const logButton = button("History", "log", () => showLog(log.hidden), { bare: true, "aria-expanded": "false" });

function showLog(isOpen: boolean): void {
  log.hidden = !isOpen;
  logButton.setAttribute("aria-expanded", String(isOpen));
  writeLog();
  log.querySelector<HTMLElement>("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
}

function writeLog(): void {
  undo.disabled = !studio.history.canUndo;
  redo.disabled = !studio.history.canRedo;
  if (!log.hidden) {
    log.replaceChildren(
      ...studio.history.log.map((entry, i) =>
        h(
          "li",
          {},
          h("button", {
            type: "button",
            text: entry.label,
            "aria-current": String(i === studio.history.index),
            class: i > studio.history.index ? "undone" : "",
            onclick: () => studio.go(i),
          }),
        ),
      ),
    );
  }
}

document.addEventListener("pointerdown", (event) => {
  if (!log.hidden && !log.contains(event.target as Node) && !logButton.contains(event.target as Node)) {
    showLog(false);
  }
});

find("#top").append(
  h("strong", { class: "brand", text: "turgor studio" }),
  fileName,
  h("span", { class: "space" }),
  speed,
  h("div", { class: "group" }, undo, redo, h("div", { class: "anchor" }, logButton, log)),
  h(
    "div",
    { class: "group" },
    files.openButton,
    h("div", { class: "anchor" }, files.saveButton, files.menuElement),
  ),
  button("Theme", "sun", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"), {
    bare: true,
  }),
);

// ---- panels --------------------------------------------------------------------------------------

const joints = new JointList(studio, (joint) => stage.lookAt(joint));
const viewBar = new ViewBar(studio, stage, find("#view"));
const panels: Record<Tab, HTMLElement> = {
  joints: find("#joints"),
  joint: h("section", { class: "tab" }, new JointPanel(studio).element),
  flesh: h("section", { class: "tab" }, new FleshPanel(studio).element),
  body: h("section", { class: "tab" }, new BodyPanel(studio).element),
  volume: find("#volume"),
};
const tabs = segmented<Tab>(
  "Panels",
  [
    ["joints", "Joints"],
    ["joint", "Curves"],
    ["flesh", "Flesh"],
    ["body", "Body"],
    ["volume", "Volume"],
  ],
  (tab) => showTab(tab),
);

/** On a wide page joints and volume are always there; on a narrow one all five take turns. */
function showTab(tab: Tab): void {
  tabs.set(tab);
  document.body.dataset.tab = tab;
}

panels.joints.append(joints.element);
find("#viewtools").append(viewBar.element);
find("#side").append(panels.joint, panels.flesh, panels.body);
find("#tabs").append(tabs.element);
find("#time").append(timeline.transport);
panels.volume.append(
  timeline.keysHost,
  timeline.plotHost,
  h(
    "p",
    { class: "key" },
    h("i", { class: "plain" }),
    "plain ",
    h("i", { class: "target" }),
    "target ",
    h("i", { class: "corrected" }),
    "corrected",
  ),
);
(["joint", "flesh", "body"] as const).forEach((tab) => (panels[tab].dataset.panel = tab));
showTab("joint");

// ---- what is told --------------------------------------------------------------------------------

let meanTime = 0;

studio.on("told", (told) => toasts.tell(told));
studio.on("history", writeLog);
studio.on("character", (character) => {
  fileName.textContent = character.name;
  fileName.title = `${character.vertexCount} vertices, ${character.triangleCount} triangles, ${character.joints.length} joints`;
  find("#loading").hidden = true;
});
studio.on("frame", (frame) => {
  meanTime = meanTime === 0 ? frame.milliseconds : 0.8 * meanTime + 0.2 * frame.milliseconds;
  speed.textContent = `${meanTime.toFixed(1)} ms + ${stage.drawTime.toFixed(1)} ms`;
});

// A mouse does not leave the focus on a button: Space goes on to play, and a point of a curve keeps its keys.
document.addEventListener("mousedown", (event) => {
  if ((event.target as Element).closest("button") !== null) {
    event.preventDefault();
  }
});

// ---- keys ----------------------------------------------------------------------------------------

// Before anyone else: lil-gui keeps keys to itself.
window.addEventListener(
  "keydown",
  (event) => {
    const target = event.target as HTMLElement;
    const isField = target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (isCommand && key === "z" && !isField) {
      event.preventDefault();
      (event.shiftKey ? () => studio.redo() : () => studio.undo())();
    } else if (isCommand && key === "y" && !isField) {
      event.preventDefault();
      studio.redo();
    } else if (isCommand && key === "s") {
      event.preventDefault();
      void files.saveSettings().catch((error: Error) => toasts.tell({ text: error.message, kind: "error" }));
    } else if (isCommand && key === "o") {
      event.preventDefault();
      files.openButton.click();
    } else if (event.key === " " && !isField && !target.matches("button")) {
      event.preventDefault();
      studio.setPlaying(!studio.playing);
    } else if (event.key === "Escape") {
      showLog(false);
      document.querySelectorAll(".toast").forEach((toast) => toast.remove());
    }
  },
  true,
);

// ---- start ---------------------------------------------------------------------------------------

function tick(now: number): void {
  studio.tick(now);
  stage.tick();
  requestAnimationFrame(tick);
}

async function start(): Promise<void> {
  setTheme(readTheme());
  requestAnimationFrame(tick);
  const isServed = await files.openSession();
  if (!isServed && studio.character === null) {
    await studio.load({ name: "elephant", model: "elephant" });
  }
  if (!isServed && "serviceWorker" in navigator && window.isSecureContext && import.meta.env.PROD) {
    await navigator.serviceWorker.register("sw.js").catch(() => {}); // it works without, while there is a network
  }
}

// For the tests and the bench: what is seen, in numbers.
Object.assign(window, { studio, stage });
void start();
