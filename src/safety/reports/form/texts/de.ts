import type { ReportTexts } from "./report-texts.ts";

export const texts: ReportTexts = {
  title: "Einen Kurzlink melden",
  intro:
    "Melden Sie den Betreibern dieses Dienstes einen Kurzlink, der anderen schadet. Sie brauchen dafür kein Konto.",
  url: "Kurzlink",
  reason: "Was stimmt damit nicht?",
  choose: "Grund auswählen",
  reasons: {
    phishing: "Er ahmt eine andere Seite nach, um an Passwörter oder Geld zu kommen",
    malware: "Er verbreitet schädliche Programme",
    spam: "Er wurde als Spam verschickt",
    child_abuse: "Er zeigt sexuellen Missbrauch von Kindern",
    illegal: "Er ist aus einem anderen Grund rechtswidrig",
    other: "Etwas anderes",
  },
  details: "Was haben Sie gesehen? (freiwillig)",
  name: "Ihr Name (freiwillig)",
  email: "Ihre E-Mail-Adresse für Rückfragen (freiwillig)",
  contact:
    "Nur die Betreiber dieses Dienstes sehen Ihre Meldung. Sie wird nach einem Jahr gelöscht. Meldungen von Kindesmissbrauch werden ohne Name und Adresse gespeichert.",
  goodFaith: "Nach bestem Wissen ist diese Meldung richtig und vollständig.",
  submit: "Meldung senden",
  invalid: "Die Meldung wurde nicht gesendet. Bitte korrigieren Sie die Felder unten.",
  errors: {
    missing: "Diese Angabe fehlt.",
    too_long: "Diese Angabe ist zu lang.",
    no_link: "Hier gibt es keinen Kurzlink mit dieser Adresse. Kopieren Sie ihn so, wie Sie ihn bekommen haben.",
    no_email: "Das ist keine E-Mail-Adresse.",
    no_good_faith: "Bitte bestätigen Sie das.",
  },
  failures: {
    rate_limited:
      "Aus Ihrem Netz kamen zu viele Meldungen. Es wurde nichts gesendet. Versuchen Sie es in {wait} noch einmal.",
    unavailable: "Die Meldung konnte nicht gespeichert werden. Bitte senden Sie sie in einer Minute noch einmal.",
    cross_site:
      "Das Formular wurde von einer anderen Seite aus gesendet. Wenn Sie diese Meldung senden möchten, senden Sie sie von hier.",
    full: "Zu viele Meldungen warten auf eine Entscheidung, deshalb wurde diese nicht gespeichert. Bitte versuchen Sie es morgen noch einmal.",
    network_full:
      "Aus Ihrem Netz warten schon Meldungen auf eine Entscheidung, deshalb wurde diese nicht gespeichert. Bitte versuchen Sie es morgen noch einmal, oder aus einem anderen Netz.",
    payload_too_large: "Das Formular war zu groß. Es wurde nichts gesendet.",
  },
  receipt: {
    title: "Ihre Meldung",
    keep: "Bewahren Sie die Adresse dieser Seite auf. Hier sehen Sie die Entscheidung.",
    sent: "Gemeldet am {date}:",
    open: "Darüber hat noch niemand entschieden.",
    dismissed: "Entschieden am {date}: Der Link wurde geprüft und bleibt, wie er ist.",
    taken_down: "Entschieden am {date}: Der Link wurde gesperrt. Vielen Dank.",
  },
  blocked: {
    title: "Dieser Link ist schon gesperrt",
    text: "Besucher können ihm nicht mehr folgen. Danke für Ihre Meldung.",
  },
  enough: {
    title: "Dieser Link wurde schon gemeldet",
    text: "Eine Entscheidung über ihn steht aus. Eine weitere Meldung ist nicht nötig. Vielen Dank.",
  },
  unknown: {
    title: "Diese Meldung gibt es nicht",
    text: "Prüfen Sie, ob die Adresse vollständig ist. Meldungen werden ein Jahr nach dem Absenden gelöscht.",
  },
};
