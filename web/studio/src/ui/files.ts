// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Files in and out: drop, open, save. Served by `turgor studio`, the character and its settings
// come from there and the settings go back there.

import type { Studio } from "../model/studio";
import type { Stage } from "../view/stage";
import { button, find, h } from "./dom";

/** A .gltf and what lies beside it may be many files; nothing here needs more. */
const mostBytes = 1 << 30;

interface Dropped {
  path: string;
  file: File;
}

/** All files of what was dropped, folders too. */
async function readDrop(data: DataTransfer): Promise<Dropped[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (entries.every((entry) => entry === null || entry.isFile)) {
    return [...data.files].map((file) => ({ path: file.name, file }));
  }
  const found: Dropped[] = [];
  const visit = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      );
      found.push({ path: path + entry.name, file });
    } else if (entry.isDirectory) {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      for (;;) {
        // it gives a hundred at a time
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (some.length === 0) {
          break;
        }
        await Promise.all(some.map((child) => visit(child, `${path}${entry.name}/`)));
      }
    }
  };
  await Promise.all(
    entries.filter((entry): entry is FileSystemEntry => entry !== null).map((entry) => visit(entry, "")),
  );
  return found;
}

const ends = (name: string, ...endings: string[]): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));

/** What is wrong with a name that no reader here takes. */
function refuse(name: string): string {
  return ends(name, ".fbx", ".dae", ".obj")
    ? `${name}: the studio reads .glb and .gltf; turgor on the command line reads this one`
    : `${name}: the studio reads .glb, .gltf and settings as .json`;
}

export class Files {
  private readonly input = h("input", {
    type: "file",
    multiple: true,
    accept: ".glb,.gltf,.bin,.png,.jpg,.jpeg,.json",
    hidden: true,
    "data-test": "open",
  });
  /** Where the settings go when `turgor studio` serves the page. */
  private sessionSettings: string | null = null;
  private readonly menu = h("div", { class: "menu", role: "menu", hidden: true });
  private readonly progress = h("div", { class: "progress", hidden: true }, h("span"), h("progress", { max: "1" }));
  private running: { cancel(): void } | null = null;
  readonly saveButton: HTMLButtonElement;
  readonly openButton: HTMLButtonElement;

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
  ) {
    this.openButton = button("Open", "open", () => this.input.click(), {
      title: "Open a .glb, a .gltf with its files, or settings",
    });
    this.saveButton = button("Save", "save", () => this.toggleMenu(), {
      "aria-haspopup": "menu",
      "aria-expanded": "false",
    });
    this.input.addEventListener("change", () => {
      const files = [...(this.input.files ?? [])].map((file) => ({ path: file.name, file }));
      const box = this.openButton.getBoundingClientRect();
      void this.take(files, { x: box.left, y: box.bottom });
      this.input.value = "";
    });
    this.buildMenu();
    this.progress.append(button("Cancel", "cross", () => this.running?.cancel(), { bare: true }));
    document.body.append(this.input, this.progress);
    this.saveButton.after(this.menu);
    this.connectDrop();
  }

  get menuElement(): HTMLElement {
    return this.menu;
  }

  // ---- in ----

  private connectDrop(): void {
    const target = find("#drop");
    let depth = 0;
    const show = (isOver: boolean): void => {
      target.classList.toggle("over", isOver);
    };
    window.addEventListener("dragenter", (event) => {
      event.preventDefault();
      depth += 1;
      show(true);
    });
    window.addEventListener("dragleave", () => {
      depth -= 1;
      show(depth > 0);
    });
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      depth = 0;
      show(false);
      const at = { x: event.clientX, y: event.clientY };
      if (event.dataTransfer !== null) {
        readDrop(event.dataTransfer).then(
          (files) => this.take(files, at),
          (error: Error) => this.studio.tell("told", { text: error.message, kind: "error", at }),
        );
      }
    });
  }

  /** One character with what lies beside it, or settings, or both. */
  async take(files: Dropped[], at: { x: number; y: number }): Promise<void> {
    const say = (text: string): void => this.studio.tell("told", { text, kind: "error", at });
    const main = files.filter(({ path }) => ends(path, ".glb", ".gltf"));
    const settings = files.filter(({ path }) => ends(path, ".json"));
    if (files.length === 0) {
      return;
    }
    if (main.length === 0 && settings.length === 0) {
      say(refuse(files[0]!.file.name));
      return;
    }
    if (main.length > 1) {
      say(`${main[0]!.file.name}: dropped with ${main.length - 1} more characters; one at a time`);
      return;
    }
    const large = files.find(({ file }) => file.size > mostBytes);
    if (large !== undefined) {
      say(`${large.file.name}: has ${large.file.size} bytes, more than the ${mostBytes} that a page can hold`);
      return;
    }
    try {
      const text = settings.length > 0 ? await settings[0]!.file.text() : undefined;
      if (main.length === 0) {
        await this.takeSettings(settings[0]!.file.name, text!, at);
        return;
      }
      const folder = main[0]!.path.slice(0, main[0]!.path.lastIndexOf("/") + 1);
      const beside: Record<string, Uint8Array> = {};
      for (const { path, file } of files) {
        if (path !== main[0]!.path && path.startsWith(folder) && !ends(path, ".json")) {
          beside[path.slice(folder.length)] = new Uint8Array(await file.arrayBuffer());
        }
      }
      const bytes = new Uint8Array(await main[0]!.file.arrayBuffer());
      if (await this.studio.load({ name: main[0]!.file.name, bytes, files: beside, settings: text }, at)) {
        this.setSession(null);
      }
    } catch (error) {
      say(`${files[0]!.file.name}: ${(error as Error).message}`);
    }
  }

  /** Everything as the file says; it is one step of the history. */
  private async takeSettings(name: string, text: string, at: { x: number; y: number }): Promise<void> {
    if (this.studio.source === null) {
      return;
    }
    try {
      const settings = await this.studio.engine.check(text);
      this.studio.setSettings(`Load ${name}`, settings);
    } catch (error) {
      this.studio.tell("told", { text: `${name}: ${(error as Error).message}`, kind: "error", at });
    }
  }

  // ---- from `turgor studio` ----

  private setSession(settings: string | null): void {
    this.sessionSettings = settings;
    const first = this.menu.querySelector<HTMLElement>("[data-test=save-settings] span");
    if (first !== null) {
      first.textContent = settings !== null ? `Settings to ${settings}` : "Settings (.json)";
    }
  }

  /** Whether the page is served by the command line, and then its character. */
  async openSession(): Promise<boolean> {
    if (!/^\/[0-9a-f]{32}\/$/.test(location.pathname)) {
      return false; // its addresses have a token
    }
    const answer = await fetch("session").catch(() => null);
    const type = answer?.headers.get("content-type") ?? "";
    if (answer === null || !answer.ok || !type.startsWith("text/plain")) {
      return false;
    }
    const [name = "", settingsName = ""] = (await answer.text()).split("\n");
    const kept = settingsName !== "" ? await fetch("settings") : null;
    const settings = kept?.ok ? await kept.text() : undefined;
    let isLoaded: boolean;
    if (name === "") {
      isLoaded = await this.studio.load({ name: "elephant", model: "elephant", settings });
    } else {
      const bytes = new Uint8Array(await (await fetch("character")).arrayBuffer());
      isLoaded = await this.studio.load({ name, bytes, settings });
    }
    this.setSession(isLoaded && settingsName !== "" ? settingsName : null);
    return isLoaded;
  }

  // ---- out ----

  private toggleMenu(isOpen = this.menu.hidden): void {
    this.menu.hidden = !isOpen;
    this.saveButton.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) {
      this.menu.querySelector<HTMLElement>("button")?.focus();
    }
  }

  private buildMenu(): void {
    const add = (label: string, test: string, action: () => void | Promise<void>): void => {
      this.menu.append(
        button(
          label,
          null,
          () => {
            this.toggleMenu(false);
            Promise.resolve(action()).catch((error: Error) => {
              if (error.message !== "cancelled") {
                this.studio.tell("told", { text: error.message, kind: "error" });
              }
            });
          },
          { role: "menuitem", "data-test": test },
        ),
      );
    };
    add("Settings (.json)", "save-settings", () => this.saveSettings());
    add("Picture (.png)", "save-picture", async () =>
      this.download(await this.stage.takePicture(), `${this.stem}.png`),
    );
    add("Baked character (.glb)", "save-bake", () => this.saveJob("bake", "baked"));
    add("Character with correctives (.glb)", "save-correctives", () => this.saveJob("correctives", "corrected"));
    this.menu.addEventListener("keydown", (event) => {
      const items = [...this.menu.querySelectorAll("button")];
      const at = items.indexOf(document.activeElement as HTMLButtonElement);
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step !== 0) {
        event.preventDefault();
        items[(at + step + items.length) % items.length]?.focus();
      } else if (event.key === "Escape") {
        this.toggleMenu(false);
        this.saveButton.focus();
      }
    });
    document.addEventListener("pointerdown", (event) => {
      if (
        !this.menu.hidden &&
        !this.menu.contains(event.target as Node) &&
        !this.saveButton.contains(event.target as Node)
      ) {
        this.toggleMenu(false);
      }
    });
  }

  private get stem(): string {
    return (this.studio.character?.name ?? "character").replace(/\.[^.]*$/, "");
  }

  private download(blob: Blob, name: string): void {
    const url = URL.createObjectURL(blob);
    const link = h("a", { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
    this.studio.tell("saved", undefined);
  }

  /** As the file would have it, with a line to each thing. */
  private get settingsText(): string {
    return `${JSON.stringify({ turgor: 1, ...this.studio.work.settings }, null, 2)}\n`;
  }

  async saveSettings(): Promise<void> {
    const text = this.settingsText;
    if (this.sessionSettings === null) {
      this.download(new Blob([text], { type: "application/json" }), `${this.stem}.json`);
      return;
    }
    const answer = await fetch("settings", {
      method: "PUT",
      body: text,
      headers: { "Content-Type": "application/json" },
    });
    if (!answer.ok) {
      throw new Error(`${this.sessionSettings}: ${(await answer.text()).trim()}`);
    }
    this.studio.tell("saved", undefined);
    this.studio.tell("told", { text: `${this.sessionSettings} is saved`, kind: "note" });
  }

  private async saveJob(name: "bake" | "correctives", ending: string): Promise<void> {
    this.running?.cancel();
    const stem = this.stem;
    const bar = this.progress.querySelector("progress")!;
    const running = this.studio.engine.run<Uint8Array>(
      name,
      [this.studio.animation > 0 ? { animation: this.studio.animation } : {}], // else as the command line has it
      (part) => (bar.value = part),
    );
    this.running = running;
    this.progress.hidden = false;
    bar.value = 0;
    this.progress.querySelector("span")!.textContent = `${stem}_${ending}.glb`;
    try {
      const bytes = await running.result;
      this.download(new Blob([bytes as BlobPart], { type: "model/gltf-binary" }), `${stem}_${ending}.glb`);
    } finally {
      this.progress.hidden = true;
      this.running = null;
    }
  }
}
