import { formatCount } from "../../lib/format.ts";

export const notes = {
  title: "Notes",
  add: "Add note",
  edit: "Edit note",
  text: "What happened",
  example: "Newsletter sent",
  when: "When",
  about: "About",
  allClicks: "All clicks",
  tag: (name: string) => `Tag ${name}`,
  editOf: (text: string) => `Edit the note: ${text}`,
  deleteOf: (text: string) => `Delete the note: ${text}`,
  showAll: (count: number) => `Show all ${formatCount(count)} notes`,
  added: "The note is added.",
  changed: "The note is changed.",
  deleted: "The note is deleted.",
};
