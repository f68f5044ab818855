import { foreignText } from "#src/platform/lib/foreign-text.ts";
import { texts } from "../texts/index.ts";

const MAX_NAME_CHARS = 60;

/** The name that an app gives itself: one line without invisible characters, cut. */
export function nameOfApp({ name }: { name: string }): string {
  const plain = foreignText(name, MAX_NAME_CHARS);
  return plain === "" ? texts.apps.unnamed : plain;
}
