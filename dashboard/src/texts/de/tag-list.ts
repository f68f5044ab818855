import { formatCount } from "../../lib/format.ts";
import type { tagList as english } from "../en/tag-list.ts";
import { links } from "./german.ts";

export const tagList: typeof english = {
  lead: "Die Tags Ihrer Links. Eine Änderung hier gilt sofort für alle Links.",
  empty: {
    title: "Noch keine Tags",
    text: "Geben Sie Links im Editor Tags, oder wählen Sie mehrere Links in der Liste aus. Die Tags erscheinen hier.",
  },
  links,
  renameOf: (tag) => `Umbenennen oder zusammenführen: ${tag}`,
  rename: (tag) => `„${tag}“ umbenennen`,
  name: "Name",
  nameHint: "Der Name eines anderen Tags führt beide zusammen.",
  merge: "Tags zusammenführen",
  merges: (tag, other) =>
    `„${other.name}“ (${links(other.links)}) gibt es schon. „${tag.name}“ (${links(tag.links)}) geht darin auf. Das lässt sich nicht rückgängig machen.`,
  removal: (tag) => `Das Tag „${tag}“ löschen?`,
  removalText: (count) =>
    `Es wird von ${links(count)} entfernt. Die Links bleiben. Das lässt sich nicht rückgängig machen.`,
  remove: "Tag löschen",
  progress: (done, total) => `${formatCount(done)} von ${links(total)}`,
  renamed: (tag, name) => `„${tag}“ heißt jetzt „${name}“`,
  merged: (tag, name, count) => `„${tag}“ ist in „${name}“ aufgegangen: ${links(count)}`,
  removed: (tag, count) => `„${tag}“ von ${links(count)} entfernt`,
  colorOf: (tag, color) => `Farbe von ${tag}: ${color}`,
  colored: (tag) => `Farbe von „${tag}“ geändert`,
  colors: {
    none: "Keine",
    gray: "Grau",
    red: "Rot",
    orange: "Orange",
    yellow: "Gelb",
    green: "Grün",
    teal: "Türkis",
    blue: "Blau",
    purple: "Lila",
    pink: "Rosa",
  },
};
