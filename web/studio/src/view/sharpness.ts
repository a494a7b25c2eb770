// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How many pixels are drawn. While pictures follow each other and come late, fewer; once nothing
// moves, all of them.

/** Parts of the pixels along each side. */
const parts = [1, 0.7, 0.5, 0.35] as const;
/** Milliseconds: a picture that takes longer has missed one of the screen's. */
const budget = 25;
/** Nothing moves any more after so many milliseconds without a picture, or so many times the last one's, up to a limit. */
const stillTime = 180,
  stillTimes = 3,
  longestStill = 2000;
/** Pictures in time, one after the other, before more pixels are tried. */
const patience = 60;

export class Sharpness {
  /** Of parts, while something moves. It is kept, so that the next drag begins where the last one ended. */
  private level = 0;
  private inTime = 0;
  private last = -Infinity;
  private timer = 0;
  private stillAfter = stillTime;
  private isMoving = false;
  /** Of the last picture. */
  private part = 1;

  /** @param onStill a sharp picture is wanted */
  constructor(private readonly onStill: () => void) {}

  get isSharp(): boolean {
    return this.part === 1;
  }

  /** The part of the pixels that a picture at this time has. */
  begin(now: number): number {
    this.isMoving = now - this.last < this.stillAfter;
    this.last = now;
    this.part = this.isMoving ? parts[this.level]! : 1;
    window.clearTimeout(this.timer);
    if (!this.isSharp) {
      this.timer = window.setTimeout(this.onStill, this.stillAfter);
    }
    return this.part;
  }

  /** It is there, after so many milliseconds. */
  end(milliseconds: number): void {
    // A page that was asleep counts its sleep; nobody waits that long for a sharp picture.
    this.stillAfter = Math.min(Math.max(stillTime, stillTimes * milliseconds), longestStill);
    if (!this.isMoving) {
      return; // a single sharp picture may take what it takes
    }
    this.inTime = milliseconds <= budget ? this.inTime + 1 : 0;
    if (milliseconds > budget) {
      this.level = Math.min(this.level + 1, parts.length - 1);
    } else if (this.inTime >= patience) {
      this.level = Math.max(this.level - 1, 0);
      this.inTime = 0;
    }
  }
}
