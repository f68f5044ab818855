import type { TagColor } from "#src/links/tags/colors.ts";
import { cx } from "../lib/class-names.ts";

const GROUNDS: Record<TagColor, string> = {
  gray: "bg-tag-gray",
  red: "bg-tag-red",
  orange: "bg-tag-orange",
  yellow: "bg-tag-yellow",
  green: "bg-tag-green",
  teal: "bg-tag-teal",
  blue: "bg-tag-blue",
  purple: "bg-tag-purple",
  pink: "bg-tag-pink",
};

/** The colour of a tag, beside its name. Nothing for a tag without one, unless its place is kept. */
export function TagDot({ color, keepsPlace = false }: { color: TagColor | null | undefined; keepsPlace?: boolean }) {
  if (!keepsPlace && (color === null || color === undefined)) return null;
  const ground = color === null || color === undefined ? "border border-control" : GROUNDS[color];
  return <span aria-hidden className={cx("inline-block size-2.5 shrink-0 rounded-full", ground)} />;
}
