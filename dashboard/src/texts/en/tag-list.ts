import type { TagColor } from "#src/links/tags/colors.ts";
import { formatCount } from "../../lib/format.ts";

/** A tag within a sentence. */
interface Named {
  name: string;
  links: number;
}

const links = (count: number): string => (count === 1 ? "1 link" : `${formatCount(count)} links`);

const colors: Record<TagColor | "none", string> = {
  none: "None",
  gray: "Grey",
  red: "Red",
  orange: "Orange",
  yellow: "Yellow",
  green: "Green",
  teal: "Teal",
  blue: "Blue",
  purple: "Purple",
  pink: "Pink",
};

export const tagList = {
  lead: "The tags of your links. A change here applies to all links at once.",
  empty: {
    title: "No tags yet",
    text: "Give tags to links in the editor, or select several links in the list. They appear here.",
  },
  links,
  renameOf: (tag: string) => `Rename or merge: ${tag}`,
  rename: (tag: string) => `Rename “${tag}”`,
  name: "Name",
  nameHint: "The name of another tag merges the two.",
  merge: "Merge tags",
  merges: (tag: Named, other: Named) =>
    `“${other.name}” (${links(other.links)}) exists. “${tag.name}” (${links(tag.links)}) becomes a part of it. You cannot undo this.`,
  removal: (tag: string) => `Delete the tag “${tag}”?`,
  removalText: (count: number) => `It is removed from ${links(count)}. The links stay. You cannot undo this.`,
  remove: "Delete tag",
  progress: (done: number, total: number) => `${formatCount(done)} of ${links(total)}`,
  renamed: (tag: string, name: string) => `“${tag}” is now “${name}”`,
  merged: (tag: string, name: string, count: number) => `“${tag}” merged into “${name}”: ${links(count)}`,
  removed: (tag: string, count: number) => `“${tag}” removed from ${links(count)}`,
  colorOf: (tag: string, color: string) => `Colour of ${tag}: ${color}`,
  colored: (tag: string) => `Colour of “${tag}” changed`,
  colors,
};
