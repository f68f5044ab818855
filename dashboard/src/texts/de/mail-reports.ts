import type { mailReports as english } from "../en/mail-reports.ts";

export const mailReports: typeof english = {
  send: "Als Bericht senden",
  all: "Alle Links",
  ofTag: (tag) => `Links mit dem Tag „${tag}“`,
  schedule: {
    label: "Wie oft",
    weekly: "Jeden Montag, über die Woche davor",
    monthly: "Am ersten Tag eines Monats, über den Monat davor",
    hint: "Um 07:00 Uhr in der Zeitzone darunter.",
    next: (when) => `Der nächste kommt am ${when}.`,
  },
  subscribe: {
    title: "Klicks per E-Mail bekommen",
    ofLink: (link) => `Klicks von ${link} per E-Mail bekommen`,
    lead: (email) =>
      `${email} bekommt eine E-Mail mit Klicks und Besuchern, ihrer Veränderung und den häufigsten Links, Ländern und Referrern. Andere Filter der Seite zählen nicht.`,
    links: "Links",
    action: "An mich senden",
    created: "Sie bekommen diesen Bericht per E-Mail.",
    list: "Alle Berichte, die Sie von diesem Konto bekommen",
  },
  settings: {
    lead: "Klicks dieses Kontos, die Sie per E-Mail bekommen. Andere sehen Ihre Berichte nicht. Jede E-Mail hat einen Link, der sie beendet.",
    create: "In der Statistik wählen",
    empty: {
      title: "Sie bekommen keine Berichte per E-Mail",
      text: "Öffnen Sie die Statistik des Kontos oder eines Links und wählen Sie „Als Bericht senden“.",
    },
    link: "Ein Link",
    change: (name) => `Bericht ändern: ${name}`,
    changed: (name) => `Bericht geändert: ${name}.`,
    stop: "Beenden",
    stopped: (name) => `Bericht beendet: ${name}`,
  },
};
