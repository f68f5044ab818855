import { formatCount } from "../../lib/format.ts";
import type { importing as english } from "../en/importing.ts";
import { links, plural } from "./german.ts";
import { importProblems } from "./import-problems.ts";

export const importing: typeof english = {
  source: {
    label: "Woher kommen Ihre Links?",
    auto: "Automatisch erkennen",
    csv: "Andere Datei",
    guide: "So bekommen Sie die Datei",
    missing: (what) => `Nicht in der Datei: ${what}.`,
  },
  guides: {
    auto: {
      steps: [
        "Exportieren Sie Ihre Links beim anderen Dienst als CSV oder JSON.",
        "Wählen Sie die Datei. Ihre Spalten zeigen, woher sie kommt.",
      ],
      note: "Wählen Sie den Dienst, wenn Sie wissen möchten, wo der Export zu finden ist.",
    },
    bitly: {
      steps: [
        "Exportieren Sie Ihre Links bei Bitly als CSV.",
        "Behalten Sie alle Spalten: Das Custom Back-Half wird der Slug, und der Bitlink ein Alias davon.",
      ],
      missing: "Tags und Ablauf",
      note: "Bitly unterscheidet /abc und /ABC. Wenn Sie eine eigene Domain mitbringen, fügen Sie sie vor dem Import mit Unterscheidung von Groß- und Kleinschreibung hinzu.",
    },
    dub: {
      steps: ["Exportieren Sie Ihre Links bei Dub als CSV.", "Jede Auswahl von Spalten funktioniert."],
      missing: "Ziele nach Land und Gerät",
      note: undefined,
    },
    shlink: {
      steps: [
        "Exportieren Sie die Kurz-URLs im Web-Client von Shlink.",
        "Eine Datei für den Import von Shlink selbst funktioniert auch.",
      ],
      missing: "Regeln",
      note: "Shlink unterscheidet /abc und /ABC. Wenn Sie eine eigene Domain mitbringen, fügen Sie sie vor dem Import mit Unterscheidung von Groß- und Kleinschreibung hinzu.",
    },
    kutt: {
      steps: [
        "Rufen Sie GET /api/v2/links Ihres Kutt mit Ihrem dortigen API-Schlüssel auf.",
        "Speichern Sie die Antwort als JSON-Datei.",
      ],
      missing: undefined,
      note: undefined,
    },
    redirection: {
      steps: [
        "Exportieren Sie die Weiterleitungen auf der Seite Import/Export des Plugins Redirection als CSV.",
        "Weiterleitungen, deren Quelle ein regulärer Ausdruck ist, werden ausgelassen.",
      ],
      missing: undefined,
      note: undefined,
    },
    yourls: {
      steps: [
        "Exportieren Sie die Links mit dem Export-Plugin von YOURLS.",
        "Oder exportieren Sie die Tabelle der Links aus der Datenbank als CSV.",
      ],
      missing: undefined,
      note: undefined,
    },
    shortio: {
      steps: [
        "Exportieren Sie Ihre Links bei Short.io als CSV.",
        "Nehmen Sie die Liste der Links: Die Arbeitsmappe mit der Statistik hat keine Links und wird abgelehnt.",
      ],
      missing: undefined,
      note: undefined,
    },
    rebrandly: { steps: ["Exportieren Sie Ihre Links bei Rebrandly als CSV."], missing: undefined, note: undefined },
    sink: {
      steps: ["Exportieren Sie die Links im Dashboard von Sink. Es liefert eine JSON-Datei."],
      missing: undefined,
      note: undefined,
    },
    tern: {
      steps: ["Exportieren Sie Links als CSV oder JSON auf der Seite „Export“ des anderen Tern."],
      missing: "Klicks und Passwörter",
      note: undefined,
    },
    csv: {
      steps: [
        "Speichern Sie eine beliebige Tabelle mit einer Spalte für Ziele als CSV, in Excel auch als „Unicode-Text“, oder eine Liste von Objekten als JSON.",
        "Die erste Zeile benennt die Spalten. Was jede ist, wählen Sie im nächsten Schritt.",
      ],
      missing: undefined,
      note: undefined,
    },
  },
  drop: {
    label: "Datei mit Links",
    title: "Datei hier ablegen",
    choose: "Datei wählen",
    limits: (megabytes, rows) =>
      `CSV oder JSON in UTF-8 oder UTF-16, bis zu ${megabytes} und ${links(rows)}. Vor dem Import sehen Sie alles.`,
    tooLarge: (name, size, most) =>
      `${name} hat ${size}; eine Datei darf ${most} haben. Teilen Sie sie in mehrere Dateien auf.`,
    empty: (name) => `${name} ist leer. Exportieren Sie die Datei noch einmal und wählen Sie die neue.`,
    several: "Nur eine Datei auf einmal. Legen Sie die anderen danach ab.",
  },
  upload: {
    sending: (name) => `${name} wird hochgeladen`,
    storing: "Hochgeladen. Der Dienst speichert die Datei.",
    sent: (done, total) => `${done} von ${total}`,
    cancel: "Hochladen abbrechen",
    failed: (name) => `${name} wurde nicht hochgeladen.`,
    other: "Andere Datei wählen",
    limited: (perHour, time) =>
      `Das Konto hat in der letzten Stunde ${perHour} Dateien hochgeladen, mehr geht nicht. Die nächste kann um ${time} hochgeladen werden.`,
  },
  list: {
    title: "Importe",
    empty: "Importe stehen hier bis 7 Tage nach ihrem Ende.",
    rows: links,
  },
  back: "Alle Importe",
  missing: {
    title: "Diesen Import gibt es nicht",
    text: "Importe werden 7 Tage nach ihrem Ende gelöscht und gehören zu einem Konto.",
  },
  reading: "Die Datei wird gelesen",
  readingLead: "Noch ist nichts importiert. Sie können diese Seite verlassen; der Import bleibt in der Liste.",
  running: "Wird importiert",
  runningLead: "Sie können diese Seite verlassen; der Import läuft weiter.",
  undoing: "Die importierten Links werden gelöscht",
  paused: "Pausiert",
  preview: {
    lead: (rows) => `${links(rows)} in der Datei. Noch ist nichts importiert.`,
    about: (created, skipped, failed) => {
      const total = created + skipped + failed;
      if (created === total) return `Alle ${links(total)} werden importiert.`;
      return `Etwa ${formatCount(created)} von ${links(total)} werden importiert, ${formatCount(skipped)} ausgelassen und ${formatCount(failed)} abgelehnt.`;
    },
    checking: "Die Zeilen werden neu geprüft",
    saving: "Ihre Auswahl wird gespeichert",
    limited: (seconds) =>
      `Sie haben viel auf einmal geändert. Der Rest wird in ${plural(seconds, "Sekunde", "Sekunden")} gespeichert; nichts geht verloren.`,
    notSaved: "Ihre Auswahl wurde noch nicht gespeichert.",
    start: "Import starten",
    needsUrl: "Wählen Sie zuerst die Spalte mit den Zielen.",
  },
  problems: {
    title: "Vor dem Start zu wissen",
    none: "Jede Zeile kann importiert werden, wie sie ist.",
    lead: "Nach dem Import nennt eine CSV-Datei jede dieser Zeilen. Korrigieren Sie sie und importieren Sie sie noch einmal.",
    rows: (count) => plural(count, "Zeile", "Zeilen"),
    first: (line, count) => (count === 1 ? `Zeile ${formatCount(line)}` : `zuerst in Zeile ${formatCount(line)}`),
    effects: {
      out: "Nicht importiert",
      skipped: "Ausgelassen",
      renamed: "Umbenannt",
      disabled: "Deaktiviert importiert",
      moved: "Bekommt Ihre Domain",
      changed: "Mit Änderung importiert",
      created: "Erstellt",
    },
    kinds: importProblems,
  },
  choices: {
    title: "Wie importieren",
    taken: "Slug ist vergeben",
    takenOptions: { skip: "Auslassen", rename: "Umbenennen" },
    takenHint: "Umbenannte Links bekommen Slugs wie sale-2.",
    dead: "Link war dort gelöscht oder gesperrt",
    deadOptions: { skip: "Auslassen", disable: "Deaktiviert importieren" },
    deadHint: "Deaktivierte Links leiten nicht weiter, bis Sie sie aktivieren.",
    events: "Das Ereignis link.create für jeden Link senden",
    eventsHint: "Nur, wenn ein Webhook von jedem importierten Link erfahren soll.",
    redirect: (status) =>
      `Links ohne eigenen Weiterleitungsstatus bekommen ${status}, den Standardwert des Kontos beim Hochladen der Datei.`,
    redirectService:
      "Links ohne eigenen Weiterleitungsstatus bekommen den des Dienstes. Um das zu ändern, legen Sie vor dem Hochladen einen Standardwert für neue Links fest.",
    settings: "Standardwerte für neue Links",
  },
  hosts: {
    title: "Domains",
    lead: "Wohin die Links jeder alten Domain gehen. Ihre eigenen bestätigten Domains behalten ihre Links.",
    targetFor: (host) => `Domain für ${host}`,
    default: (domain) => (domain === null ? "Standard-Domain" : `Standard-Domain (${domain})`),
    own: "Bleibt",
    skip: "Diese Links auslassen",
    add: "Domain hinzufügen",
    addHint:
      "Gehört Ihnen eine davon? Fügen Sie sie zuerst hinzu und bestätigen Sie sie, dann funktionieren gedruckte Kurz-URLs weiter.",
  },
  mapping: {
    title: "Spalten",
    lead: "Was jede Spalte der Datei ist. Zwei Spalten können nicht dasselbe sein.",
    column: "Spalte",
    sample: "Erste Zeilen",
    field: "Wird importiert als",
    fieldOf: (column) => `Feld für ${column}`,
    none: "Nicht importiert",
    groups: { main: "Häufigste", lifetime: "Laufzeit", targets: "Ziele und Vorschau", other: "Andere" },
    fields: {
      url: "Ziel",
      shortUrl: "Kurz-URL",
      slug: "Slug",
      domain: "Domain",
      aliasUrl: "Weitere Kurz-URL",
      aliases: "Weitere Slugs",
      title: "Titel",
      tags: "Tags",
      createdAt: "Zeit der Erstellung",
      importedClicks: "Zahl der Klicks",
      startsAt: "Beginn",
      expiresAt: "Ablauf",
      expiredUrl: "Ziel nach dem Ablauf",
      maxClicks: "Klicklimit",
      archived: "Archiviert (ja oder nein)",
      disabled: "Deaktiviert (ja oder nein)",
      status: "Status in Worten",
      dead: "Gelöscht oder gesperrt (ja oder nein)",
      pattern: "Slug ist ein Muster (ja oder nein)",
      password: "Hat ein Passwort",
      ios: "Ziel auf iPhone und iPad",
      android: "Ziel auf Android",
      geo: "Ziele nach Land (JSON)",
      rules: "Regeln (JSON)",
      preview: "Vorschau (JSON)",
      previewTitle: "Titel der Vorschau",
      previewDescription: "Text der Vorschau",
      previewImage: "Bild der Vorschau",
      redirectStatus: "Weiterleitungsstatus",
      passParameters: "Parameter der Besucher weitergeben (ja oder nein)",
      externalId: "Ihre eigene ID",
    },
  },
  result: {
    done: (count) => `${links(count)} importiert`,
    none: "Kein Link wurde importiert",
    undone: (count) => `${links(count)} wieder gelöscht`,
    undoneLead: "Sie lassen sich 7 Tage lang in der Liste der Links wiederherstellen.",
    cancelled: "Der Import wurde abgebrochen.",
    discarded: "Der Import wurde verworfen. Nichts wurde importiert.",
    failed: "Der Import ist fehlgeschlagen.",
    failedHint: "Korrigieren Sie die Datei und laden Sie sie noch einmal hoch.",
    failures:
      "Manche Zeilen wurden nicht oder nicht unverändert importiert. Korrigieren Sie die Liste und importieren Sie sie noch einmal.",
    toLinks: "Links anzeigen",
    again: "Weitere Datei importieren",
  },
};
