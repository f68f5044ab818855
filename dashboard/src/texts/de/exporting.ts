import { formatCount } from "../../lib/format.ts";
import type { exporting as english } from "../en/exporting.ts";
import { plural } from "./german.ts";

export const exporting: typeof english = {
  form: {
    title: "Neuer Export",
    lead: "Die Datei wird im Hintergrund geschrieben und kann 7 Tage lang heruntergeladen werden.",
    kind: "Was exportieren",
    kinds: { links: "Links", clicks: "Klicks", qr: "QR-Codes" },
    about: {
      links: "Jeder Link mit allen Feldern. Ein Import der Datei ergibt wieder dieselben Links.",
      clicks: (most) => `Eine Zeile für jeden Klick, bis zu ${formatCount(most)} Klicks.`,
      qr: (most) => `Eine ZIP-Datei mit einem Bild für jeden Link, bis zu ${formatCount(most)} Links.`,
    },
    format: "Format",
    formats: { csv: "CSV", json: "JSON", svg: "SVG", png: "PNG" },
    which: "Welche Links",
    whichOptions: { all: "Alle Links", some: "Nach Filtern" },
    allHint: "Alle Links, die nicht archiviert sind.",
    search: "Suche",
    searchHint: (least) => `Mindestens ${least} Zeichen des Slugs, des Titels, Ihrer ID oder des Ziels.`,
    tag: "Tags",
    anyTag: "Beliebiges Tag",
    addTag: "Tag hinzufügen",
    removeTag: (tag) => `Tag ${tag} entfernen`,
    domain: "Domain",
    anyDomain: "Beliebige Domain",
    status: "Status",
    statuses: {
      "": "Beliebiger Status",
      active: "Aktiv",
      scheduled: "Geplant",
      expired: "Abgelaufen",
      disabled: "Deaktiviert",
    },
    archived: "Archivierte Links",
    archivedOptions: { exclude: "Auslassen", include: "Einschließen", only: "Nur diese" },
    createdAfter: "Erstellt ab",
    createdBefore: "Erstellt bis",
    range: "Zeitraum",
    ranges: {
      "7d": "Letzte 7 Tage",
      "30d": "Letzte 30 Tage",
      "90d": "Letzte 90 Tage",
      "1y": "Letzte 12 Monate",
      all: "Gesamte Zeit",
      custom: "Eigener Zeitraum",
    },
    from: "Von",
    until: "Bis einschließlich",
    zone: (zone) => `Tage in der Zeitzone ${zone}.`,
    bots: "Crawler einschließen",
    size: "Größe",
    sizeHint: (least, most) => `${formatCount(least)} bis ${formatCount(most)} Pixel`,
    start: "Export starten",
    orderWrong: "Das Ende darf nicht vor dem Anfang liegen.",
    needsRange: "Wählen Sie den ersten Tag.",
    started: "Export gestartet",
  },
  list: {
    title: "Exporte",
    kept: (most) => `Die neuesten ${most} werden aufbewahrt, jeder 7 Tage.`,
    empty: {
      title: "Noch keine Exporte",
      text: "Wählen Sie oben, was Sie brauchen. Die Datei erscheint hier und bleibt 7 Tage.",
    },
    name: (kind, format) => `${kind} als ${format}`,
    created: (when) => `Gestartet ${when}`,
    expires: (day) => `Bis ${day}`,
    download: "Herunterladen",
    downloadOf: (name, when) => `Herunterladen: ${name}, ${when}`,
    records: (count, kind) => {
      const [one, many] = { links: ["Link", "Links"], clicks: ["Klick", "Klicks"], qr: ["Bild", "Bilder"] }[kind] as [
        string,
        string,
      ];
      return plural(count, one, many);
    },
    progress: (done, total) => `${formatCount(done)} von ${formatCount(total)}`,
    waiting: "Beginnt gleich",
    failed: "Der Export ist fehlgeschlagen. Starten Sie ihn noch einmal.",
  },
};
