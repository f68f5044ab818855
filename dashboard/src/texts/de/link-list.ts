import type { Change } from "../../features/links/changes.ts";
import { formatCount, formatDay } from "../../lib/format.ts";
import type { linkList as english } from "../en/link-list.ts";
import { links, plural } from "./german.ts";

const list = (names: readonly string[]): string => names.map((name) => `„${name}“`).join(", ");

/** "3 Links archiviert" */
function describeDone(change: Change, count: number): string {
  const what = links(count);
  switch (change.kind) {
    case "archive":
      return `${what} ${change.archived ? "archiviert" : "aus dem Archiv geholt"}`;
    case "disable":
      return `${what} ${change.disabled ? "deaktiviert" : "aktiviert"}`;
    case "expire":
      return `Ablauf von ${what} ${change.expiresAt === null ? "entfernt" : "festgelegt"}`;
    case "move":
      return `${what} zu ${change.domain} verschoben`;
    case "tag":
      return change.add.length > 0
        ? `${list(change.add)} zu ${what} hinzugefügt`
        : `${list(change.remove)} von ${what} entfernt`;
    case "delete":
    default:
      return `${what} gelöscht`;
  }
}

/** "3 Links archivieren" */
function describeRunning(change: Change, what: string): string {
  switch (change.kind) {
    case "archive":
      return `${what} ${change.archived ? "archivieren" : "aus dem Archiv holen"}`;
    case "disable":
      return `${what} ${change.disabled ? "deaktivieren" : "aktivieren"}`;
    case "expire":
      return change.expiresAt === null
        ? `Ablauf entfernen: ${what}`
        : `Am ${formatDay(change.expiresAt)} ablaufen lassen: ${what}`;
    case "move":
      return `Zu ${change.domain} verschieben: ${what}`;
    case "tag":
      return change.add.length > 0
        ? `${list(change.add)} hinzufügen: ${what}`
        : `${list(change.remove)} entfernen: ${what}`;
    case "delete":
    default:
      return `${what} löschen`;
  }
}

export const linkList: typeof english = {
  title: "Links",
  amount: (count, isExact) => (isExact === false ? "Alle passenden Links" : links(count)),
  search: "Links suchen",
  clearSearch: "Suche löschen",
  searchHint: "Mindestens 3 Zeichen eingeben",
  count: (count, isExact) => (isExact ? links(count) : `mehr als ${links(count)}`),
  loadingMore: "Weitere Links werden geladen",
  shortcuts: "Links",

  columns: {
    label: "Spalten",
    link: "Link",
    tags: "Tags",
    clicks: "Klicks",
    lastClickedAt: "Letzter Klick",
    createdBy: "Erstellt von",
    createdAt: "Erstellt",
  },
  never: "nie",
  creator: {
    key: (name) => `Schlüssel „${name}“`,
    gone: "eine gelöschte Person",
    unknown: "jemand anderes",
    nobody: "unbekannt",
  },
  clicks: (count) => plural(count, "Klick", "Klicks"),
  importedClicks: (count) => `+ ${formatCount(count)} vor dem Import`,
  status: {
    active: "Aktiv",
    scheduled: "Geplant",
    expired: "Abgelaufen",
    disabled: "Deaktiviert",
    deleted: "Gelöscht",
    archived: "Archiviert",
    password: "Passwort",
    rules: "Regeln",
    broken: "Defekt",
    starts: (when) => `Beginnt ${when}`,
    expires: (when) => `Endet ${when}`,
    deletes: (when) => `Endgültig weg ${when}`,
  },
  row: {
    select: (name) => `${name} auswählen`,
    more: (name) => `Mehr zu ${name}`,
    copy: "Kurzlink kopieren",
    copied: (shortUrl) => `${shortUrl} kopiert`,
    open: "Details und Statistik",
    qr: "QR-Code",
    edit: "Bearbeiten",
    duplicate: "Duplizieren",
    archive: "Archivieren",
    unarchive: "Aus dem Archiv holen",
    disable: "Deaktivieren",
    enable: "Aktivieren",
    delete: "Löschen",
    restore: "Wiederherstellen",
    restoreOf: (name) => `${name} wiederherstellen`,
    next: "Nächster Link",
    previous: "Voriger Link",
  },

  filter: {
    label: "Filter",
    tags: "Tags",
    tagMode: "Links mit",
    any: "Einem davon",
    all: "Allen davon",
    with: "Mit",
    without: "Ohne",
    not: (status) => `Nicht ${status.toLowerCase()}`,
    notTagged: (tag) => `Ohne Tag: ${tag}`,
    creator: "Erstellt von",
    is: "Ist",
    isNot: "Ist nicht",
    createdBy: (name) => `Erstellt von: ${name}`,
    notCreatedBy: (name) => `Nicht erstellt von: ${name}`,
    domain: "Domain",
    status: "Status",
    anyStatus: "Alle",
    archived: "Archivierte Links",
    exclude: "Ausblenden",
    include: "Anzeigen",
    only: "Nur diese",
    created: "Erstellt",
    from: "Von",
    to: "Bis",
    clear: "Filter zurücksetzen",
    remove: (name) => `Filter ${name} entfernen`,
    searched: (text) => `„${text}“`,
    tagged: (tag) => `Tag: ${tag}`,
    atDomain: (domain) => `Domain: ${domain}`,
    withStatus: (status) => `Status: ${status}`,
    brokenOnly: "Nur Links mit defektem Ziel",
    broken: "Defektes Ziel",
    withArchived: { exclude: "", include: "Mit archivierten Links", only: "Nur archivierte Links" },
    createdFrom: (day) => `Erstellt ab ${day}`,
    createdTo: (day) => `Erstellt bis ${day}`,
  },
  tagPicker: {
    search: "Tag suchen",
    none: "Es gibt noch keine Tags.",
    noMatch: "Kein Tag beginnt so.",
    create: (tag) => `Tag „${tag}“ erstellen`,
    unknown: (tag) => `Es gibt kein Tag „${tag}“. Wählen Sie eins aus der Liste, oder erstellen Sie es dort.`,
  },
  sort: {
    label: "Sortieren",
    createdAt: { desc: "Neueste zuerst", asc: "Älteste zuerst" },
    clicks: { desc: "Meiste Klicks zuerst", asc: "Wenigste Klicks zuerst" },
    lastClickedAt: { desc: "Zuletzt geklickte zuerst", asc: "Am längsten nicht geklickte zuerst" },
  },
  display: {
    label: "Ansicht",
    density: "Zeilen",
    comfortable: "Normal",
    compact: "Kompakt",
  },

  selection: {
    tooMany: (max) => `Höchstens ${links(max)} können einzeln ausgewählt werden`,
    tooManyText:
      "Grenzen Sie die Liste mit einem Filter ein, oder scrollen Sie weniger weit und wählen Sie alle passenden aus.",
    label: "Ausgewählte Links",
    count: (count) => `${formatCount(count)} ausgewählt`,
    all: (count, isExact) => (isExact ? `Alle ${links(count)}, die passen` : "Alle passenden Links"),
    selectAll: (count, isExact) =>
      isExact ? `Alle ${formatCount(count)} passenden auswählen` : "Alle passenden auswählen",
    selectLoaded: "Geladene Links auswählen",
    clear: "Auswahl aufheben",
    tag: "Tags",
    move: "Verschieben",
    expire: "Ablauf",
    more: "Weitere Aktionen",
  },
  bulk: {
    tagTitle: (what) => `Tags ändern: ${what}`,
    add: "Tags hinzufügen",
    remove: "Tags entfernen",
    moveTitle: (what) => `Zu einer anderen Domain verschieben: ${what}`,
    moveText:
      "Die Kurz-URLs ändern sich. Die alten funktionieren nicht mehr: Besucher sehen, dass es den Link nicht gibt.",
    moveAction: "Verschieben",
    noDomains: "Es gibt noch keine andere Domain. Fügen Sie in den Einstellungen eine hinzu.",
    expireTitle: (what) => `Ablauf festlegen: ${what}`,
    now: "Jetzt",
    later: "Zu einer Zeit",
    never: "Nie",
    time: "Datum und Uhrzeit",
    expireAction: "Festlegen",
    deleteTitle: (what) => `Löschen: ${what}?`,
    deleteText: "Besucher sehen binnen einer Minute „nicht gefunden“. 7 Tage lang lässt sich das rückgängig machen.",
    deleteAction: (what) => `${what} löschen`,
  },
  changes: {
    done: describeDone,
    running: describeRunning,
    restoring: (what) => `${what} wiederherstellen`,
    restored: (count) => `${links(count)} wiederhergestellt`,
    failed: (count) => `${links(count)} ${count === 1 ? "wurde" : "wurden"} nicht geändert`,
    notStarted: "Die Änderung wurde nicht gestartet",
    undone: (count) => `Rückgängig gemacht: ${links(count)} ${count === 1 ? "ist" : "sind"} wie vorher`,
    nothing: "Diese Links sind schon so.",
  },
  jobs: {
    label: "Sammeländerungen",
    progress: (done, total) => `${formatCount(done)} von ${formatCount(total)}`,
    reading: "Links werden gesucht …",
    undoing: "Wird rückgängig gemacht …",
    failed: "Angehalten.",
    cancelled: "Abgebrochen.",
    paused: "Pausiert.",
    failures: (count) => `${links(count)} ${count === 1 ? "konnte" : "konnten"} nicht geändert werden`,
    notUndone: (count) => `${links(count)} ${count === 1 ? "bleibt, wie er ist" : "bleiben, wie sie sind"}`,
    download: "Liste herunterladen",
    cancel: "Abbrechen",
    hide: "Ausblenden",
    deleteAgain: "Wieder löschen",
  },

  empty: {
    title: "Kürzen Sie Ihren ersten Link",
    text: "Fügen Sie eine lange URL ein. Sie bekommen eine kurze, einen QR-Code und sehen, wie viele ihr folgen.",
    action: "Link erstellen",
    readOnly: { title: "Noch keine Links", text: "In diesem Konto hat noch niemand einen Link erstellt." },
  },
  noneDeleted: {
    title: "Keine gelöschten Links",
    text: "Gelöschte Links bleiben 7 Tage mit ihren Klicks hier und können bis dahin wiederhergestellt werden.",
    action: "Alle Links anzeigen",
  },
  noMatch: {
    title: "Kein Link passt",
    text: "Archivierte Links werden nur gefunden, wenn der Filter „Archivierte Links“ sie anzeigt.",
  },
  start: {
    title: "Erste Schritte",
    done: (done, all) => `${done} von ${all} erledigt`,
    dismiss: "Diese Liste ausblenden",
    create: "Den ersten Link erstellen",
    click: "Ihn einmal öffnen und den Klick hier sehen",
    domain: "Eine eigene Domain hinzufügen",
    invite: "Jemanden einladen",
    orKey: "oder",
    key: "einen API-Schlüssel erstellen",
    isDone: "Erledigt",
  },
};
