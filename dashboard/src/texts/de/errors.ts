import type { errors as english } from "../en/errors.ts";

export const errors: typeof english = {
  limited: (seconds) =>
    `Das war zu schnell. Versuchen Sie es in ${seconds} ${seconds === 1 ? "Sekunde" : "Sekunden"} noch einmal; Ihre Eingaben gehen nicht verloren.`,
  again: (wait) => `Versuchen Sie es ${wait} noch einmal.`,
  notFound: {
    title: "Diese Seite gibt es nicht",
    text: "Prüfen Sie die Adresse, oder machen Sie bei Ihren Links weiter.",
  },
  notLoaded:
    "Dieser Teil der Seite konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und laden Sie die Seite neu: Sie stammt vielleicht aus einer älteren Version von Tern.",
  notOpened: "Die Seite konnte nicht geöffnet werden",
  opensOnline: "Es gibt keine Verbindung. Sie öffnet sich, sobald Sie wieder online sind.",
  perhapsNew: "Die Verbindung ist fehlgeschlagen, oder es gibt eine neue Version von Tern.",
  offline: "Der Dienst war nicht erreichbar. Prüfen Sie Ihre Verbindung; Ihre Eingaben gehen nicht verloren.",
  requestId: (id) => `Wenn es noch einmal geschieht, melden Sie es mit dieser Nummer: ${id}`,
  unexpected:
    "Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu, und melden Sie das Problem, wenn es noch einmal geschieht.",
};
