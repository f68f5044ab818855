import { isCut, type Cutout } from "./cutout.ts";

/** Draws a rectangle for each run of dark modules in a row. */
export function pathOf(modules: boolean[][], margin: number, cutout: Cutout | null): string {
  let path = "";
  for (const [y, row] of modules.entries()) {
    let run = 0;
    for (let x = 0; x <= row.length; x++) {
      if (row[x] === true && !(cutout !== null && isCut(cutout, x, y))) {
        run++;
      } else if (run > 0) {
        path += `M${x - run + margin} ${y + margin}h${run}v1h-${run}z`;
        run = 0;
      }
    }
  }
  return path;
}
