import type { openings as english } from "./en-openings.ts";

/** What mails say of one case before or after the letter, in German. */
export const openings: typeof english = {
  from: (baseUrl) => `Diese E-Mail ist von ${baseUrl}`,
  stop: "Diese E-Mails beenden",
  invitation: {
    operator: "Der Betreiber dieses Dienstes",
    invites: (from, team) => `${from} lädt Sie in das Team „${team}“ ein.`,
  },
  reasons: {
    phishing: "Phishing",
    malware: "Schadsoftware",
    spam: "Spam",
    child_abuse: "Darstellungen sexuellen Missbrauchs von Kindern",
    illegal: "verbotene Inhalte",
    legal_order: "eine rechtliche Anordnung",
    shortener: "ein anderer Kürzungsdienst, der verbirgt, wohin er führt",
    lookalike: "eine Adresse, die wie die von jemand anderem aussieht",
    policy: "die Regeln dieses Dienstes",
  },
  takedown: {
    link: (shown) => `der Kurzlink ${shown}`,
    account: (shown) => `Ihr Konto ${shown} mit allen seinen Links`,
    domain: (shown) => `Ihre Domain ${shown} mit allen ihren Links`,
    host: (shown) => `jeder Ihrer Kurzlinks, der zu ${shown} führt`,
    imposed: (what, reason) => `Gesperrt wurde ${what}. Grund: ${reason}.`,
    reversed: (what) => `Nicht mehr gesperrt ist ${what}.`,
    upheld: (what) => `Gesperrt bleibt ${what}.`,
  },
  screening: {
    blocked: "gesperrt",
    warned: "mit einer Warnung gezeigt",
    finding: (host, state, reason, shortUrl) => `${host} (${state}, Grund: ${reason}, zum Beispiel ${shortUrl}`,
    advisory: "Hinweis von Google, der falsch sein kann",
    others: (count, isAtLeast) => ` und ${isAtLeast ? "mindestens " : ""}${count} weitere Hosts`,
    found: (account, hosts) =>
      `Die Prüfung hat Kurzlinks des Kontos „${account}“ gefunden, die zu diesen Hosts führen: ${hosts}.`,
  },
  broken: {
    one: (account, url) => `Das Ziel eines Kurzlinks des Kontos „${account}“ ist defekt: ${url}.`,
    many: (account, count, urls) => `Die Ziele von ${count} Kurzlinks des Kontos „${account}“ sind defekt: ${urls}.`,
    atLeast: (count) => `mindestens ${count}`,
    others: (count) => `${count} weitere`,
  },
  clicks: {
    all: "allen Links",
    ofTag: (tag) => `den Links mit dem Tag „${tag}“`,
    opening: (subject, account, start, end, timezone) =>
      `Klicks von ${subject} im Konto „${account}“, ${start} bis ${end} (${timezone})`,
    clicks: "Klicks",
    visitors: "Besucher",
    links: "Links",
    countries: "Länder",
    referrers: "Referrer",
    before: (count) => `${count} im Zeitraum davor`,
    deleted: "ein gelöschter Link",
    direct: "direkt",
  },
};
