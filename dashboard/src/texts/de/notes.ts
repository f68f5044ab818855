import { formatCount } from "../../lib/format.ts";
import type { notes as english } from "../en/notes.ts";

export const notes: typeof english = {
  title: "Notizen",
  add: "Notiz hinzufügen",
  edit: "Notiz bearbeiten",
  text: "Was geschehen ist",
  example: "Newsletter versendet",
  when: "Wann",
  about: "Worüber",
  allClicks: "Alle Klicks",
  tag: (name) => `Tag ${name}`,
  editOf: (text) => `Notiz bearbeiten: ${text}`,
  deleteOf: (text) => `Notiz löschen: ${text}`,
  showAll: (count) => `Alle ${formatCount(count)} Notizen anzeigen`,
  added: "Die Notiz ist hinzugefügt.",
  changed: "Die Notiz ist geändert.",
  deleted: "Die Notiz ist gelöscht.",
};
