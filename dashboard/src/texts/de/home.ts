import type { home as english } from "../en/home.ts";

export const home: typeof english = {
  action: "Kürzen",
  closed: "Melden Sie sich an, um Links zu kürzen: Für Fremde erstellt dieser Dienst keine.",
  copied: "Kopiert",
  copy: "Kopieren",
  description:
    "Kürzen Sie sofort einen Link, samt QR-Code. Mit einem Konto zählen Sie seine Klicks, nutzen Ihre eigene Domain und behalten ihn dauerhaft.",
  developers: {
    title: "Auch für Programme",
    text: "Eine API für alles, was Sie sehen, signierte Webhooks und Hunderte Links in einer Anfrage.",
    link: "API-Referenz",
  },
  docs: "Dokumentation",
  download: "QR-Code herunterladen",
  empty: "Fügen Sie zuerst eine lange Adresse ein.",
  ended: "Dieser Kurzlink ist beendet und führt nirgendwohin.",
  expires: "Der Link funktioniert 30 Tage.",
  failed: "Der Dienst war nicht erreichbar. Versuchen Sie es noch einmal; die Adresse steht noch im Feld.",
  fileName: (slug) => `${slug}.svg`,
  heading: "Kurzlinks, die sofort antworten",
  invalid: (reason) => `Diese Adresse lässt sich nicht kürzen: ${reason}.`,
  keep: "Registrieren Sie sich, um ihn zu behalten und seine Klicks zu sehen.",
  known: "Das ist schon ein Kurzlink. Hier ist sein QR-Code.",
  label: "Lange Adresse",
  lead: "Fügen Sie eine lange Adresse ein. Sie bekommen eine kurze samt QR-Code, ausgeliefert aus dem Rechenzentrum, das Ihrem Besucher am nächsten ist.",
  limited: (seconds) =>
    `Sie haben in kurzer Zeit viele Links erstellt. Versuchen Sie es in ${seconds === 1 ? "1 Sekunde" : `${seconds} Sekunden`} noch einmal.`,
  locked: "Wohin er führt, sehen nur Besucher mit seinem Passwort.",
  note: "Ohne Konto.",
  numbers: {
    title: "Zahlen ohne Cookies",
    text: "Klicks nach Land, Gerät, Herkunft und Kampagne, sobald sie geschehen. Besucher werden gezählt, nicht verfolgt.",
  },
  own: "Das ist eine Seite dieses Dienstes. Fügen Sie die Adresse einer anderen Website ein.",
  placeholder: "https://example.com/eine/sehr/lange/adresse",
  previewed: "Besucher sehen zuerst eine Seite, die zeigt, wohin der Link führt.",
  printed: {
    title: "Für den Druck geeignet",
    text: "Die meisten genutzten Links überstehen einen Ausfall der Datenbank. Ändern Sie das Ziel jederzeit; der gedruckte Code bleibt derselbe.",
  },
  qr: "QR-Code des Kurzlinks",
  signIn: "Anmelden",
  title: "Tern: Kurzlinks, die sofort antworten",
  unknown: "Das sieht aus wie ein Kurzlink dieses Dienstes, aber den gibt es nicht. Prüfen Sie die Schreibweise.",
};
