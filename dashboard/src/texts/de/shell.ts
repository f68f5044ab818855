import type { shell as english } from "../en/shell.ts";

export const shell: typeof english = {
  actFor: "Konto wechseln",
  apiReference: "API-Referenz",
  characterKeys: {
    label: "Tastenkürzel aus einzelnen Buchstaben und Zeichen",
    hint: "Ohne sie bewirken Tasten wie C und ? allein nichts. Diese Liste bleibt im Menü Ihres Kontos.",
  },
  confirmIdentity: {
    local: "Sie haben kein Passwort. Dieser Dienst läuft auf Ihrem Rechner, deshalb genügt Ihr Wort.",
    noPassword:
      "Sie haben noch kein Passwort. Mit einer Mail setzen Sie eines. Melden Sie sich dann damit an, und wiederholen Sie die Änderung.",
    sendMail: "Mail senden",
    mailSent: (email) => `Wir haben eine Mail an ${email} gesendet.`,
    title: "Sind Sie es?",
    text: "Diese Änderung braucht einen Nachweis. Er gilt 10 Minuten.",
    password: "Passwort",
    code: "Code aus Ihrer Authenticator-App",
    passkey: "Passkey verwenden",
    action: "Bestätigen",
    noPasskeyHere:
      "Ihre zweiten Faktoren sind nur Passkeys, und dieser Browser kann sie nicht verwenden. Machen Sie in einem weiter, der es kann.",
    lostFactor:
      "Verloren? Melden Sie sich ab und mit Passwort und Wiederherstellungscode wieder an: Das gilt 10 Minuten als Nachweis.",
  },
  createLink: "Link erstellen",
  factorNeeded: {
    title: (account) => `${account} verlangt einen zweiten Faktor`,
    add: {
      text: "Der Inhaber dieses Teams verlangt von allen Mitgliedern einen zweiten Faktor: einen Code aus einer App oder einen Passkey. Fügen Sie Ihrer Anmeldung einen hinzu, dann öffnet sich das Team sofort. Ihr eigenes Konto geht auch ohne.",
      action: "Zweiten Faktor hinzufügen",
    },
    confirm: {
      text: "Der Inhaber dieses Teams verlangt von allen Mitgliedern einen zweiten Faktor. Sie haben einen, aber ihn in diesem Browser nicht angegeben, seit Sie sich angemeldet oder Ihre Faktoren geändert haben.",
      action: "Zweiten Faktor angeben",
    },
    personal: "Zu meinem eigenen Konto",
  },
  membershipEnded: {
    title: (account) => `Sie sind kein Mitglied von ${account} mehr`,
    text: "Das Team besteht ohne Sie weiter, und Ihr eigenes Konto ist, wie es war. Falls das ein Versehen ist, bitten Sie einen Inhaber des Teams, Sie wieder einzuladen.",
  },
  general: "Allgemein",
  keys: {
    timeline: "Zeitverlauf im Fokus",
    select: "Link auswählen oder abwählen",
    selectNext: "Auch den nächsten Link auswählen",
    selectPrevious: "Auch den vorigen Link auswählen",
    paste: "Kopierte Adresse kürzen",
    next: "Nächste Zeit",
    previous: "Vorige Zeit",
    selectAfter: "Bis zur nächsten Zeit auswählen",
    selectBefore: "Ab der vorigen Zeit auswählen",
    first: "Erste Zeit",
    last: "Letzte Zeit",
    zoom: "Auswahl anzeigen",
    clear: "Auswahl aufheben",
  },
  navigation: "Hauptmenü",
  navigationGroup: "Gehe zu",
  notices: {
    title: "Was mit Ihrem Konto geschehen ist",
    dismiss: "Ausblenden",
    security: "Sicherheitseinstellungen prüfen",
  },
  offline: "Sie sind offline. Was Sie sehen, kann veraltet sein, und Änderungen brauchen eine Verbindung.",
  or: "oder",
  pages: {
    admin: "Verwaltung",
    analytics: "Statistik",
    links: "Links",
    moving: "Import und Export",
    movingShort: "Import",
    settings: "Einstellungen",
  },
  palette: {
    deletedLinks: "Gelöschte Links",
    empty: "Nichts gefunden.",
    open: "Suche",
    placeholder: "Links, Seiten und Aktionen suchen",
    searching: "Links werden gesucht …",
    groups: { actions: "Aktionen", links: "Links", pages: "Seiten" },
  },
  passkeyErrors: {
    cancelled:
      "Der Browser hat keinen Passkey übergeben: Es wurde abgebrochen oder dauerte zu lange. Versuchen Sie es noch einmal.",
    known: "Dieses Gerät hat für dieses Konto schon einen Passkey.",
    notHere:
      "Dieser Browser kann unter dieser Adresse keine Passkeys verwenden. Nehmen Sie einen anderen Browser, oder machen Sie ohne weiter.",
  },
  personal: "Persönlich",
  shortcuts: "Tastenkürzel",
  signOut: "Abmelden",
  skip: "Zum Inhalt springen",
  stillSignedIn: "Sie sind noch angemeldet",
  theme: { label: "Farben", system: "System", light: "Hell", dark: "Dunkel" },
};
