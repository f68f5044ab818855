import { formatCount } from "../../lib/format.ts";
import type { exporting as english } from "../en/exporting.ts";
import { plural } from "./plural.ts";

export const exporting: typeof english = {
  form: {
    title: "Exportación nueva",
    lead: "El archivo se crea en segundo plano y se puede descargar durante 7 días.",
    kind: "Qué exportar",
    kinds: { links: "Enlaces", clicks: "Clics", qr: "Códigos QR" },
    about: {
      links: "Cada enlace con todos sus campos. Al importar el archivo se obtienen los mismos enlaces.",
      clicks: (most) => `Una fila por clic, hasta ${formatCount(most)} clics.`,
      qr: (most) => `Un archivo ZIP con una imagen por enlace, hasta ${formatCount(most)} enlaces.`,
    },
    format: "Formato",
    formats: { csv: "CSV", json: "JSON", svg: "SVG", png: "PNG" },
    which: "Qué enlaces",
    whichOptions: { all: "Todos los enlaces", some: "Con filtros" },
    allHint: "Todos los enlaces que no están archivados.",
    search: "Buscar",
    searchHint: (least) => `Al menos ${least} caracteres del slug, el título, tu id o el destino.`,
    tag: "Etiquetas",
    anyTag: "Cualquier etiqueta",
    addTag: "Añadir una etiqueta",
    removeTag: (tag) => `Quitar la etiqueta ${tag}`,
    domain: "Dominio",
    anyDomain: "Cualquier dominio",
    status: "Estado",
    statuses: { "": "Cualquier estado", active: "Activo", expired: "Caducado", disabled: "Desactivado" },
    archived: "Enlaces archivados",
    archivedOptions: { exclude: "Omitir", include: "Incluir", only: "Solo estos" },
    createdAfter: "Creado desde",
    createdBefore: "Creado hasta",
    range: "Periodo",
    ranges: {
      "7d": "Últimos 7 días",
      "30d": "Últimos 30 días",
      "90d": "Últimos 90 días",
      "1y": "Últimos 12 meses",
      all: "Todo el tiempo",
      custom: "Personalizado",
    },
    from: "Desde",
    until: "Hasta, incluido",
    zone: (zone) => `Los días son los de ${zone}.`,
    bots: "Incluir rastreadores",
    size: "Tamaño",
    sizeHint: (least, most) => `De ${formatCount(least)} a ${formatCount(most)} píxeles`,
    start: "Iniciar exportación",
    orderWrong: "El final no puede ser anterior al inicio.",
    needsRange: "Elige el primer día.",
    started: "Exportación iniciada",
  },
  list: {
    title: "Exportaciones",
    kept: (most) => `Se conservan las ${most} más recientes, cada una durante 7 días.`,
    empty: {
      title: "Todavía no hay exportaciones",
      text: "Elige arriba lo que necesitas. El archivo aparece aquí y se queda 7 días.",
    },
    name: (kind, format) => `${kind} en ${format}`,
    created: (when) => `Iniciada ${when}`,
    expires: (day) => `Hasta el ${day}`,
    download: "Descargar",
    downloadOf: (name, when) => `Descargar: ${name}, ${when}`,
    records: (count, kind) => {
      const [one, many] = {
        links: ["enlace", "enlaces"] as const,
        clicks: ["clic", "clics"] as const,
        qr: ["imagen", "imágenes"] as const,
      }[kind];
      return plural(count, one, many);
    },
    progress: (done, total) => `${formatCount(done)} de ${formatCount(total)}`,
    waiting: "Empieza en un momento",
    failed: "La exportación falló. Iníciala de nuevo.",
  },
};
