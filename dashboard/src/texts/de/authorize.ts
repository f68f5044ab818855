import type { authorize as english } from "../en/authorize.ts";

export const authorize: typeof english = {
  pending: "Eine App bittet um Zugriff",
  title: (app) => `„${app}“ Zugriff geben?`,
  lead: "Sie kann Tern dann in Ihrem Namen verwenden. Sie können das jederzeit beenden.",
  facts: {
    app: "Identität",
    verified: (host) => `bestätigt durch ihre Domain ${host}`,
    unverified: "Nicht bestätigt",
    answer: "Antwort geht an",
    thisDevice: "ein Programm auf diesem Computer",
    scheme: (scheme) => `das Programm, das Links mit „${scheme}“ öffnet`,
    account: "Konto",
    person: (email) => `Sie sind ${email}.`,
    other: "Als jemand anderes anmelden",
  },
  known: "Sie haben dieser App schon einmal Zugriff gegeben.",
  warnings: {
    unverified: "Niemand hat den Namen geprüft: Die App hat ihn selbst gewählt.",
    loopback: "Ein Programm auf diesem Computer bekommt die Antwort.",
    scheme: "Ein Programm auf diesem Gerät bekommt die Antwort.",
    advice: "Machen Sie nur weiter, wenn Sie die App gerade selbst verbinden wollten.",
  },
  scopes: {
    title: "Was sie darf",
    onlyRead: "Nur lesen",
    all: "Alles, worum sie bittet",
    reads: "Sehen",
    writes: "Ändern",
    needsOne: "Wählen Sie mindestens eins aus, oder lehnen Sie den Zugriff ab.",
    names: {
      "links:read": "Links, Tags und QR-Codes",
      "links:write": "Links erstellen, ändern und löschen",
      "clicks:read": "Klicks und Besucher",
      "domains:read": "Eigene Domains",
      "domains:write": "Eigene Domains hinzufügen und bestätigen",
      "webhooks:read": "Webhooks und was an sie gesendet wurde",
      "webhooks:write": "Webhooks hinzufügen und ändern, und Ereignisse empfangen",
      bulk: "Importe, Exporte und andere Aufträge starten, auch mit vielen Links",
    },
  },
  confirms: "Um die App zu verbinden, weisen Sie zuerst nach, dass Sie es sind.",
  allow: "Erlauben",
  deny: "Ablehnen",
  leaving: {
    allowed: (app) => `„${app}“ hat Zugriff`,
    denied: (app) => `„${app}“ bekommt keinen Zugriff`,
    text: (place) => `Sie kehren jetzt zu ${place} zurück.`,
    program:
      "Ihr Browser fragt vielleicht, ob er das Programm öffnen darf. Danach können Sie dieses Fenster schließen.",
    open: "Programm öffnen",
    goOn: (place) => `Weiter zu ${place}`,
    unsafe:
      "Die App möchte die Antwort unter einer Adresse, die Browser nicht öffnen dürfen. Schließen Sie dieses Fenster.",
  },
  refused: {
    title: "Diese App kann nicht verbunden werden",
    unknown:
      "Dieser Dienst kennt die App nicht oder kann nicht herausfinden, von wem sie stammt. Sie hat nichts bekommen.",
    request: "Die App fragt auf eine Weise, die dieser Dienst nicht annimmt. Sie hat nichts bekommen.",
    advice: "Beginnen Sie noch einmal in der App. Wenn es wieder geschieht, sagen Sie es ihren Entwicklern.",
    otherAccount: (account) => `Wenn Ihre Rolle in ${account} der Grund ist, wählen Sie ein anderes Konto.`,
    details: "Für die Entwickler der App",
    back: (place) => `Zurück zu ${place}`,
  },
  none: {
    title: "Keine App bittet um Zugriff",
    text: "Die Anfrage wurde beantwortet oder ist zu alt. Beginnen Sie noch einmal in der App, die Sie verbinden möchten.",
    toApps: "Verbundene Apps ansehen",
  },
};
