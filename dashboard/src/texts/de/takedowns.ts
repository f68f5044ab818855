import type { takedowns as english } from "../en/takedowns.ts";

export const takedowns: typeof english = {
  kinds: { link: "Link", account: "Konto", domain: "Domain", host: "Alle Links zu einem Host" },
  reasons: {
    phishing: "Phishing",
    malware: "Schadsoftware",
    spam: "Spam",
    child_abuse: "Kindesmissbrauch",
    illegal: "Rechtswidrig",
    policy: "Regeln dieses Dienstes",
    other: "Etwas anderes",
  },
  legalOrder: "Rechtliche Anordnung",
  inForce: "In Kraft",
  reversed: "Aufgehoben",
  lead: "Was Betreiber des Dienstes an diesem Konto gesperrt haben, und Ihre Einsprüche.",
  empty: {
    title: "Nichts ist gesperrt",
    text: "Wenn ein Betreiber etwas sperrt, steht es hier mit dem Grund.",
  },
  appeal: "Einspruch …",
  title: (name) => `Einspruch gegen die Sperrung von ${name}`,
  statement: "Warum ist sie ein Irrtum?",
  hint: "Ein Betreiber liest es und entscheidet. Sie können einmal Einspruch einlegen und bekommen die Entscheidung per E-Mail.",
  action: "Einspruch senden",
  sent: "Einspruch gesendet",
  yours: "Ihre Begründung",
  waiting: "Noch hat niemand entschieden.",
  decisions: {
    upheld: "Entschieden: Es bleibt gesperrt.",
    reversed: "Entschieden: Es ist nicht mehr gesperrt.",
  },
};
