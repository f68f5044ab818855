import { useLayoutEffect, useRef, useState } from "react";

/** Returns a function that stays the same and calls the newest one, for components that are rendered by their properties only. */
export function useLatest<Arguments extends unknown[]>(
  run: (...args: Arguments) => void,
): (...args: Arguments) => void {
  const latest = useRef(run);
  // Before anybody can act on what is shown.
  useLayoutEffect(() => {
    latest.current = run;
  });
  const [stable] = useState(
    () =>
      (...args: Arguments) =>
        latest.current(...args),
  );
  return stable;
}
