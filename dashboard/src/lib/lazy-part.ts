import { createElement, lazy, type ComponentType } from "react";

/** The code of a part of the page did not come: the connection failed, or a new version of the pages has replaced it. */
export class PartError extends Error {
  /** Makes the part import its code again when it is next shown. */
  readonly forget: () => void;

  constructor(forget: () => void) {
    super("A part of the page could not be loaded.");
    this.name = "PartError";
    this.forget = forget;
  }
}

const PAUSE_MS = 1_000;

/** A component whose code is imported when it is first shown, and a second time if that fails. Throws a {@link PartError}. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const create = (): ComponentType<Props> =>
    lazy(async () => {
      try {
        return { default: await load().catch(() => pause().then(load)) };
      } catch {
        throw new PartError(() => {
          Part = create();
        });
      }
    });
  let Part = create();
  return (props) => createElement(Part, props);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
