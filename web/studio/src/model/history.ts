// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The log of what was done, with every state in between. States are never changed once they are in
// it, so they share what they have in common.

export interface Entry<T> {
  /** "Drag e0 of elbow.L" */
  label: string;
  state: T;
}

const mostEntries = 500;

export class History<T> {
  private entries: Entry<T>[];
  private at = 0;
  /** Changes of one drag have the same key and are one entry. */
  private key: string | null = null;

  constructor(state: T, label: string) {
    this.entries = [{ label, state }];
  }

  get state(): T {
    return this.entries[this.at]!.state;
  }

  get log(): readonly Entry<T>[] {
    return this.entries;
  }

  get index(): number {
    return this.at;
  }

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at < this.entries.length - 1;
  }

  /** @param key changes in a row with the same key become one entry; null: one of its own */
  push(label: string, state: T, key: string | null = null): void {
    const joins = key !== null && key === this.key && !this.canRedo && this.at > 0;
    this.entries.length = this.at + 1;
    if (joins) {
      this.entries[this.at] = { label, state };
    } else {
      this.entries.push({ label, state });
      if (this.entries.length > mostEntries) {
        this.entries.shift();
      }
    }
    this.at = this.entries.length - 1;
    this.key = key;
  }

  /** A drag is over: what comes next is another entry. */
  seal(): void {
    this.key = null;
  }

  go(index: number): boolean {
    const to = Math.max(0, Math.min(this.entries.length - 1, index));
    const moved = to !== this.at;
    this.at = to;
    this.key = null;
    return moved;
  }

  reset(label: string, state: T): void {
    this.entries = [{ label, state }];
    this.at = 0;
    this.key = null;
  }
}
