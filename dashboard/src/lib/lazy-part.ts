import { createElement, lazy, useState, type ComponentType } from "react";

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

/** A part of the page whose code is imported when it is first shown, or before. */
export interface LazyPart<Props extends object> {
  (props: Props): ReturnType<typeof createElement>;
  /** Imports the code. Throws a {@link PartError}; the next call tries it again. */
  preload: () => Promise<void>;
}

/**
 * A component whose code is imported when it is first shown, and a second time if that fails. Throws a {@link PartError}.
 *
 * Many browsers keep the failure of an import until the page is loaded anew (https://github.com/whatwg/html/issues/6768). So
 * nothing is imported while the service cannot be reached: the part can be imported once it can.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<{ default: ComponentType<Props> }> | null = null;
  const loadOnline = async () => {
    // A service on the own machine needs no connection.
    if (!navigator.onLine) await fetch(location.href, { method: "HEAD" });
    return load();
  };
  const importOnce = () =>
    (loading ??= loadOnline()
      .catch(() => pause().then(loadOnline))
      .then(
        (component) => {
          Part = component;
          return { default: component };
        },
        () => {
          throw new PartError(forget);
        },
      ));
  const forget = () => {
    loading = null;
    Part = lazy(importOnce);
  };
  let Part: ComponentType<Props> = lazy(importOnce);
  const Shown = (props: Props) => {
    // What is shown stays the same component, also once the code is there.
    const [Own] = useState(() => Part);
    return createElement(Own, props);
  };
  Shown.preload = async () => {
    try {
      await importOnce();
    } catch (error) {
      forget();
      throw error;
    }
  };
  return Shown;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
