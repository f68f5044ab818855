import { formatCount } from "../../lib/format.ts";
import type { tagList as english } from "../en/tag-list.ts";
import { links } from "./plural.ts";

export const tagList: typeof english = {
  lead: "Las etiquetas de tus enlaces. Un cambio aquí se aplica a todos los enlaces a la vez.",
  empty: {
    title: "Todavía no hay etiquetas",
    text: "Etiqueta enlaces en el editor, o selecciona varios en la lista. Las etiquetas aparecen aquí.",
  },
  links,
  renameOf: (tag) => `Cambiar el nombre o fusionar: ${tag}`,
  rename: (tag) => `Cambiar el nombre de “${tag}”`,
  name: "Nombre",
  nameHint: "El nombre de otra etiqueta fusiona las dos.",
  merge: "Fusionar etiquetas",
  merges: (tag, other) =>
    `“${other.name}” (${links(other.links)}) ya existe. “${tag.name}” (${links(tag.links)}) pasa a formar parte de ella. No se puede deshacer.`,
  removal: (tag) => `¿Eliminar la etiqueta “${tag}”?`,
  removalText: (count) => `Se quita de ${links(count)}. Los enlaces se quedan. No se puede deshacer.`,
  remove: "Eliminar etiqueta",
  progress: (done, total) => `${formatCount(done)} de ${links(total)}`,
  renamed: (tag, name) => `“${tag}” ahora es “${name}”`,
  merged: (tag, name, count) => `“${tag}” se fusionó con “${name}”: ${links(count)}`,
  removed: (tag, count) => `“${tag}” se quitó de ${links(count)}`,
  colorOf: (tag, color) => `Color de ${tag}: ${color}`,
  colored: (tag) => `Color de “${tag}” cambiado`,
  colors: {
    none: "Ninguno",
    gray: "Gris",
    red: "Rojo",
    orange: "Naranja",
    yellow: "Amarillo",
    green: "Verde",
    teal: "Turquesa",
    blue: "Azul",
    purple: "Morado",
    pink: "Rosa",
  },
};
