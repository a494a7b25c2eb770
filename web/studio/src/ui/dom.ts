// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Elements in one line.

type Props = Record<string, unknown>;
type Child = Node | string | null | undefined | false;

function assign(element: Element, props: Props): void {
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (key.startsWith("on") && typeof value === "function") {
      element.addEventListener(key.slice(2), value as EventListener);
    } else if (key === "text") {
      element.textContent = String(value);
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  assign(element, props);
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(element, props);
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

export function find<T extends Element = HTMLElement>(selector: string): T {
  const element = document.querySelector<T>(selector);
  if (element === null) {
    throw new Error(`the page has no ${selector}`);
  }
  return element;
}

/** Pictures of 16 by 16 by their outlines. */
const icons: Record<string, string> = {
  play: "M5 3l8 5-8 5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  loop: "M3 8a5 5 0 0 1 8.5-3.5M13 8a5 5 0 0 1-8.5 3.5M12 2v3H9M4 14v-3h3",
  undo: "M6 3L3 6l3 3M3 6h6a4 4 0 0 1 0 8H6",
  redo: "M10 3l3 3-3 3M13 6H7a4 4 0 0 0 0 8h3",
  open: "M2 13V4h4l1.5 2H14v7zM2 8h12",
  save: "M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.5 1.5M11.5 11.5L13 13M13 3l-1.5 1.5M4.5 11.5L3 13",
  log: "M3 4h10M3 8h10M3 12h6",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  plus: "M8 3v10M3 8h10",
  cross: "M4 4l8 8M12 4l-8 8",
  mirror: "M8 2v12M6 4L2 12h4zM10 4l4 8h-4z",
  reset: "M3.5 8a4.5 4.5 0 1 0 1.5-3.4M5 2v3h3",
  key: "M8 3l5 5-5 5-5-5z",
  first: "M4 3v10M13 3l-7 5 7 5z",
};

export function icon(name: string): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    svg("path", { d: icons[name] }),
  );
}

export function button(
  label: string,
  iconName: string | null,
  onclick: () => void,
  props: Props = {},
): HTMLButtonElement {
  const { bare, ...rest } = props;
  return h(
    "button",
    { type: "button", title: label, "aria-label": label, onclick, ...rest },
    iconName !== null && icon(iconName),
    bare !== true && h("span", { text: label }),
  );
}

/** Choices of which one is taken, as buttons in a row. */
export function segmented<T extends string>(
  label: string,
  choices: readonly (readonly [T, string])[],
  onchange: (choice: T) => void,
): { element: HTMLElement; set(value: T): void } {
  const buttons = choices.map(([value, text]) =>
    h("button", { type: "button", role: "radio", "data-value": value, text, onclick: () => onchange(value) }),
  );
  const element = h("div", { class: "segmented", role: "radiogroup", "aria-label": label }, ...buttons);
  element.addEventListener("keydown", (event) => {
    const step =
      event.key === "ArrowRight" || event.key === "ArrowDown"
        ? 1
        : event.key === "ArrowLeft" || event.key === "ArrowUp"
          ? -1
          : 0;
    if (step !== 0) {
      event.preventDefault();
      const at = buttons.findIndex((button) => button.getAttribute("aria-checked") === "true");
      const next = buttons[(at + step + buttons.length) % buttons.length]!;
      next.focus();
      next.click();
    }
  });
  return {
    element,
    set(value) {
      for (const button of buttons) {
        const isTaken = button.dataset.value === value;
        button.setAttribute("aria-checked", String(isTaken));
        button.tabIndex = isTaken ? 0 : -1;
      }
    },
  };
}

/** A pointer that is held: every move until it is let go. */
export function drag(
  element: Element,
  begin: (event: PointerEvent) => ((event: PointerEvent) => void) | null,
  end: () => void = () => {},
): void {
  element.addEventListener("pointerdown", (down) => {
    const event = down as PointerEvent;
    const move = event.button === 0 ? begin(event) : null;
    if (move === null) {
      return;
    }
    event.preventDefault();
    const onMove = (moved: PointerEvent): void => {
      if (moved.pointerId === event.pointerId) {
        move(moved);
      }
    };
    const onEnd = (ended: PointerEvent): void => {
      if (ended.pointerId === event.pointerId) {
        window.removeEventListener("pointermove", onMove);
        window.removeEventListener("pointerup", onEnd);
        window.removeEventListener("pointercancel", onEnd);
        end();
      }
    };
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", onEnd);
    window.addEventListener("pointercancel", onEnd);
  });
}

/** Settings leave out what says nothing. */
export function without<T extends object>(object: T, ...keys: (keyof T)[]): T {
  const copy = { ...object };
  keys.forEach((key) => delete copy[key]);
  return copy;
}

/** Whether any of a few things is another one than last time; settings are never changed in place. */
export class Watch {
  private last: unknown[] | null = null;

  isOther(...things: unknown[]): boolean {
    const isSame = this.last !== null && things.every((thing, i) => thing === this.last![i]);
    this.last = things;
    return !isSame;
  }
}
