import type { Change } from "../../features/links/changes.ts";
import { formatCount, formatDay } from "../../lib/format.ts";
import type { linkList as english } from "../en/link-list.ts";
import { links, plural } from "./plural.ts";
import type { TextsOf } from "./texts-of.ts";

const list = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(", ");

/** "3 enlaces archivados" */
function describeDone(change: Change, count: number): string {
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
function describeRunning(change: Change, what: string): string {
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

export const linkList: TextsOf<typeof english> = {
  title: "Enlaces",
  amount: (count, isExact = true) => (isExact ? links(count) : "todos los enlaces que coinciden"),
  search: "Buscar enlaces",
  clearSearch: "Borrar la búsqueda",
  searchHint: "Escribe al menos 3 caracteres",
  count: (count, isExact) => (isExact ? links(count) : `más de ${links(count)}`),
  loadingMore: "Cargando más enlaces",
  shortcuts: "Enlaces",

  columns: {
    label: "Columnas",
    link: "Enlace",
    tags: "Etiquetas",
    clicks: "Clics",
    lastClickedAt: "Último clic",
    createdBy: "Creado por",
    createdAt: "Creado",
  },
  creator: {
    key: (name) => `Clave “${name}”`,
    gone: "una persona eliminada",
    unknown: "otra persona",
    nobody: "nadie conocido",
  },
  never: "nunca",
  clicks: (count) => plural(count, "clic", "clics"),
  status: {
    active: "Activo",
    expired: "Caducado",
    disabled: "Desactivado",
    deleted: "Eliminado",
    archived: "Archivado",
    password: "Contraseña",
    rules: "Reglas",
    broken: "Roto",
    expires: (when) => `Termina ${when}`,
    deletes: (when) => `Se borra para siempre ${when}`,
  },
  row: {
    select: (name) => `Seleccionar ${name}`,
    more: (name) => `Más acciones para ${name}`,
    copy: "Copiar enlace corto",
    copied: (shortUrl) => `${shortUrl} copiado`,
    open: "Detalles y estadísticas",
    qr: "Código QR",
    edit: "Editar",
    duplicate: "Duplicar",
    archive: "Archivar",
    unarchive: "Desarchivar",
    disable: "Desactivar",
    enable: "Activar",
    delete: "Eliminar",
    restore: "Restaurar",
    restoreOf: (name) => `Restaurar ${name}`,
    next: "Enlace siguiente",
    previous: "Enlace anterior",
  },

  filter: {
    label: "Filtrar",
    tags: "Etiquetas",
    tagMode: "Enlaces con",
    any: "Alguna de ellas",
    all: "Todas ellas",
    with: "Con",
    without: "Sin",
    not: (status) => `No ${status.toLowerCase()}`,
    notTagged: (tag) => `Sin etiqueta: ${tag}`,
    creator: "Creado por",
    is: "Es",
    isNot: "No es",
    createdBy: (name) => `Creado por: ${name}`,
    notCreatedBy: (name) => `No creado por: ${name}`,
    domain: "Dominio",
    status: "Estado",
    anyStatus: "Todos",
    archived: "Enlaces archivados",
    exclude: "Ocultar",
    include: "Mostrar",
    only: "Solo estos",
    created: "Creado",
    from: "Desde",
    to: "Hasta",
    clear: "Quitar filtros",
    remove: (name) => `Quitar el filtro ${name}`,
    searched: (text) => `“${text}”`,
    tagged: (tag) => `Etiqueta: ${tag}`,
    atDomain: (domain) => `Dominio: ${domain}`,
    withStatus: (status) => `Estado: ${status}`,
    brokenOnly: "Solo enlaces con el destino roto",
    broken: "Destino roto",
    withArchived: { exclude: "", include: "Con enlaces archivados", only: "Solo enlaces archivados" },
    createdFrom: (day) => `Creado desde el ${day}`,
    createdTo: (day) => `Creado hasta el ${day}`,
  },
  tagPicker: {
    search: "Buscar una etiqueta",
    none: "Todavía no hay etiquetas.",
    noMatch: "Ninguna etiqueta empieza así.",
    create: (tag) => `Crear la etiqueta “${tag}”`,
    unknown: (tag) => `No hay ninguna etiqueta “${tag}”. Elige una de la lista o créala allí.`,
  },
  sort: {
    label: "Ordenar",
    createdAt: { desc: "Más recientes", asc: "Más antiguos" },
    clicks: { desc: "Más clics", asc: "Menos clics" },
    lastClickedAt: { desc: "Clic más reciente", asc: "Clic más antiguo" },
  },
  display: {
    label: "Aspecto",
    density: "Filas",
    comfortable: "Amplias",
    compact: "Compactas",
  },

  selection: {
    tooMany: (max) => `Se pueden seleccionar como máximo ${links(max)} uno a uno`,
    tooManyText: "Reduce la lista con un filtro, o baja menos y selecciona todos los que coinciden.",
    label: "Enlaces seleccionados",
    count: (count) => plural(count, "seleccionado", "seleccionados"),
    all: (count, isExact) => {
      if (!isExact) return "Todos los enlaces que coinciden";
      return count === 1 ? "El único enlace que coincide" : `Los ${links(count)} que coinciden`;
    },
    selectAll: (count, isExact) =>
      isExact
        ? `Seleccionar ${plural(count, "enlace que coincide", "enlaces que coinciden")}`
        : "Seleccionar todos los que coinciden",
    selectLoaded: "Seleccionar los enlaces cargados",
    clear: "Quitar la selección",
    tag: "Etiquetar",
    move: "Mover",
    expire: "Caducidad",
    more: "Más acciones",
  },
  bulk: {
    tagTitle: (what) => `Etiquetar ${what}`,
    add: "Añadir etiquetas",
    remove: "Quitar etiquetas",
    moveTitle: (what) => `Mover ${what} a otro dominio`,
    moveText:
      "Las URL cortas cambian. Las antiguas dejan de funcionar: sus visitantes ven una página de “no encontrado”.",
    moveAction: "Mover",
    noDomains: "Todavía no hay otro dominio. Añade uno en los ajustes.",
    expireTitle: (what) => `Caducidad de ${what}`,
    now: "Ahora",
    later: "En una fecha",
    never: "Nunca",
    time: "Fecha y hora",
    expireAction: "Guardar",
    deleteTitle: (what) => `¿Eliminar ${what}?`,
    deleteText: "Los visitantes ven de inmediato una página de “no encontrado”. Puedes deshacerlo durante 7 días.",
    deleteAction: (what) => `Eliminar ${what}`,
  },
  changes: {
    done: describeDone,
    running: describeRunning,
    restoring: (what) => `Restaurar ${what}`,
    restored: (count) => plural(count, "enlace restaurado", "enlaces restaurados"),
    failed: (count) => plural(count, "enlace no se cambió", "enlaces no se cambiaron"),
    notStarted: "El cambio no se inició",
    undone: (count) => `Deshecho: ${plural(count, "enlace está", "enlaces están")} como antes`,
    nothing: "Estos enlaces ya están así.",
  },
  jobs: {
    label: "Cambios masivos",
    progress: (done, total) => `${formatCount(done)} de ${formatCount(total)}`,
    reading: "Buscando los enlaces…",
    undoing: "Deshaciendo…",
    failed: "Detenido.",
    cancelled: "Cancelado.",
    paused: "En pausa.",
    failures: (count) => plural(count, "enlace no se pudo cambiar", "enlaces no se pudieron cambiar"),
    notUndone: (count) => plural(count, "enlace se queda como está", "enlaces se quedan como están"),
    download: "Descargar la lista",
    cancel: "Cancelar",
    hide: "Ocultar",
    deleteAgain: "Eliminarlos de nuevo",
  },

  empty: {
    title: "Acorta tu primer enlace",
    text: "Pega aquí una URL larga o pulsa C. Obtienes una corta, un código QR y el recuento de las personas que la siguen.",
    action: "Crear enlace",
    readOnly: "En esta cuenta nadie ha creado todavía un enlace.",
  },
  noneDeleted: {
    title: "No hay enlaces eliminados",
    text: "Los enlaces eliminados se quedan aquí 7 días con sus clics y, hasta entonces, se pueden restaurar.",
    action: "Mostrar todos los enlaces",
  },
  noMatch: {
    title: "Ningún enlace coincide",
    text: "Los enlaces archivados solo se encuentran si el filtro “Enlaces archivados” los muestra.",
  },
  start: {
    title: "Primeros pasos",
    done: (done, all) => `${done} de ${all} hechos`,
    dismiss: "Ocultar esta lista",
    create: "Crea tu primer enlace",
    click: "Ábrelo una vez y mira el clic aquí",
    domain: "Añade tu propio dominio",
    invite: "Invita a alguien",
    orKey: "o",
    key: "crea una clave de API",
    isDone: "Hecho",
  },
};
