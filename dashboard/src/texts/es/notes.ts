import { formatCount } from "../../lib/format.ts";
import type { notes as english } from "../en/notes.ts";
import type { TextsOf } from "./texts-of.ts";

export const notes: TextsOf<typeof english> = {
  title: "Notas",
  add: "Añadir nota",
  edit: "Editar nota",
  text: "Qué pasó",
  example: "Boletín enviado",
  when: "Cuándo",
  about: "Sobre",
  allClicks: "Todos los clics",
  tag: (name) => `Etiqueta ${name}`,
  editOf: (text) => `Editar la nota: ${text}`,
  deleteOf: (text) => `Eliminar la nota: ${text}`,
  showAll: (count) => `Mostrar las ${formatCount(count)} notas`,
  added: "Se añadió la nota.",
  changed: "Se cambió la nota.",
  deleted: "Se eliminó la nota.",
};
