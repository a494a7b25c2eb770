// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The worker as the page sees it: promises, one frame at a time, and a new worker should the old
// one have come to harm.

import type { Settings } from "turgor";
import type {
  Callable,
  CharacterInfo,
  FrameAnswer,
  FrameRequest,
  FromWorker,
  JobName,
  Source,
  ToWorker,
} from "./messages";

/** So many starts within so many milliseconds are tried. */
const mostLosses = 3,
  mostLossesWithin = 20000;

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
  onProgress?: (progress: number) => void;
}

/** A long work that can be ended. */
export interface Running<T> {
  result: Promise<T>;
  cancel(): void;
}

export class Engine {
  private worker!: Worker;
  private waiting = new Map<number, Waiting>();
  private nextId = 1;
  private started!: Promise<void>;
  private onStarted: () => void = () => {};
  private frameId = 0;
  private losses: number[] = [];

  /** A frame is there. */
  onFrame: (answer: FrameAnswer) => void = () => {};
  /** A frame failed, with words. */
  onFrameFailed: (message: string) => void = () => {};
  /** The worker had to be started anew: load the character again. */
  onLost: (message: string) => void = () => {};

  constructor() {
    this.start();
  }

  private start(): void {
    this.started = new Promise((resolve) => (this.onStarted = resolve));
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.lose(event.message || "the worker does not start");
    };
  }

  private lose(message: string): void {
    this.worker.terminate();
    this.frameId = 0;
    for (const waiting of this.waiting.values()) {
      waiting.reject(new Error(message));
    }
    this.waiting.clear();
    const now = performance.now();
    this.losses = [...this.losses.filter((time) => now - time < mostLossesWithin), now];
    if (this.losses.length <= mostLosses) {
      // else it will not come back by itself
      this.start();
    }
    this.onLost(message);
  }

  private hear(message: FromWorker): void {
    if (message.type === "ready") {
      this.onStarted();
    } else if (message.type === "fatal") {
      this.lose(message.message);
    } else if (message.type === "frame") {
      this.frameId = 0;
      this.onFrame(message.answer);
    } else if (message.type === "failed" && message.id === this.frameId) {
      this.frameId = 0;
      this.onFrameFailed(message.message);
    } else {
      const waiting = this.waiting.get(message.id);
      if (message.type === "progress") {
        waiting?.onProgress?.(message.progress);
        return;
      }
      this.waiting.delete(message.id);
      if (message.type === "done") {
        waiting?.resolve(message.result as never);
      } else {
        waiting?.reject(new Error(message.message));
      }
    }
  }

  private async ask<T>(
    message: ToWorker & { id: number },
    transfer: Transferable[] = [],
    onProgress?: (progress: number) => void,
  ): Promise<T> {
    await this.started;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(message.id, { resolve: resolve as (value: never) => void, reject, onProgress });
      this.worker.postMessage(message, transfer);
    });
  }

  load(source: Source): Promise<CharacterInfo> {
    return this.ask({ type: "load", id: this.nextId++, source });
  }

  call<T>(name: Callable, ...given: unknown[]): Promise<T> {
    return this.ask({ type: "call", id: this.nextId++, name, arguments: given });
  }

  toCurves<T>(profile: unknown): Promise<T> {
    return this.ask({ type: "curves", id: this.nextId++, profile });
  }

  /** What settings become with a preset. */
  preset<T>(name: string, settings: unknown): Promise<T> {
    return this.ask({ type: "preset", id: this.nextId++, name, settings: JSON.stringify(settings) });
  }

  /** Settings as an object, or what is wrong with their text. Nothing changes. */
  check(text: string): Promise<Settings> {
    return this.ask({ type: "check", id: this.nextId++, settings: text });
  }

  run<T>(name: JobName, given: unknown[], onProgress?: (progress: number) => void): Running<T> {
    const id = this.nextId++;
    const result = this.ask<T>({ type: "job", id, name, arguments: given }, [], onProgress);
    return {
      result,
      cancel: () => {
        if (this.waiting.has(id)) {
          this.worker.postMessage({ type: "cancel", id } satisfies ToWorker);
          this.waiting.get(id)?.reject(new Error("cancelled"));
          this.waiting.delete(id);
        }
      },
    };
  }

  get isBusy(): boolean {
    return this.frameId !== 0;
  }

  /** Only while it is not busy. The answer comes by onFrame. */
  requestFrame(request: Omit<FrameRequest, "id">): void {
    this.frameId = this.nextId++;
    this.worker.postMessage(
      { type: "frame", request: { ...request, id: this.frameId } } satisfies ToWorker,
      request.recycle,
    );
  }
}
