import type { Change } from "../../features/links/changes.ts";
import { formatDay } from "../../lib/format.ts";
import { links } from "./plural.ts";

const list = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(", ");

/** "3 enlaces archivados" */
export function describeDone(change: Change, count: number): string {
  const what = links(count);
  const done = (participle: string) => `${what} ${participle}${count === 1 ? "" : "s"}`;
  switch (change.kind) {
    case "archive":
      return done(change.archived ? "archivado" : "desarchivado");
    case "disable":
      return done(change.disabled ? "desactivado" : "activado");
    case "expire":
      return change.expiresAt === null
        ? `Se quitó la caducidad de ${what}`
        : `Caducidad de ${what}: ${formatDay(change.expiresAt)}`;
    case "move":
      return `${done("movido")} a ${change.domain}`;
    case "tag":
      return change.add.length > 0
        ? `${done("etiquetado")} con ${list(change.add)}`
        : `Se ${change.remove.length === 1 ? "quitó" : "quitaron"} ${list(change.remove)} de ${what}`;
    case "delete":
    default:
      return done("eliminado");
  }
}

/** "Archivar 3 enlaces" */
export function describeRunning(change: Change, what: string): string {
  switch (change.kind) {
    case "archive":
      return `${change.archived ? "Archivar" : "Desarchivar"} ${what}`;
    case "disable":
      return `${change.disabled ? "Desactivar" : "Activar"} ${what}`;
    case "expire":
      return change.expiresAt === null
        ? `Quitar la caducidad de ${what}`
        : `Fijar la caducidad de ${what}: ${formatDay(change.expiresAt)}`;
    case "move":
      return `Mover ${what} a ${change.domain}`;
    case "tag":
      return change.add.length > 0
        ? `Etiquetar ${what} con ${list(change.add)}`
        : `Quitar ${list(change.remove)} de ${what}`;
    case "delete":
    default:
      return `Eliminar ${what}`;
  }
}
