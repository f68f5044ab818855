import type { PageTexts } from "./page-texts.ts";

export const texts: PageTexts = {
  errors: {
    not_found: {
      title: "Diesen Link gibt es nicht",
      text: "Prüfen Sie, ob die Adresse vollständig kopiert und genau so eingegeben wurde, wie sie gedruckt ist.",
    },
    not_started: {
      title: "Dieser Link ist noch nicht aktiv",
      text: "Sein Besitzer hat festgelegt, ab wann er funktioniert. Versuchen Sie es später noch einmal.",
    },
    gone: {
      title: "Dieser Link ist beendet",
      text: "Sein Besitzer hat ihn beendet, oder er galt nur für eine begrenzte Zeit oder Zahl von Besuchen. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.",
    },
    blocked: {
      title: "Dieser Link ist gesperrt",
      text: "Er führt zu etwas, das dieser Dienst nicht erlaubt. Wenn er Ihnen gehört, melden Sie sich an, um den Grund zu sehen.",
    },
    blocked_by_law: {
      title: "Dieser Link ist nicht verfügbar",
      text: "Er wurde wegen einer rechtlichen Anordnung gesperrt.",
    },
    method_not_allowed: {
      title: "Diese Methode ist nicht erlaubt",
      text: "Kurzlinks werden mit GET oder HEAD geöffnet.",
    },
    internal: {
      title: "Hier ist etwas schiefgegangen",
      text: "Das liegt an uns, nicht am Link. Bitte versuchen Sie es noch einmal.",
    },
    unavailable: {
      title: "Dieser Link kann gerade nicht nachgeschlagen werden",
      text: "Der Link ist nicht verloren. Bitte versuchen Sie es in einigen Sekunden noch einmal.",
    },
    password_required: {
      title: "Dieser Link ist durch ein Passwort geschützt",
      text: "Geben Sie hier das Passwort ein. Sie bekommen es von der Person, die den Link geteilt hat.",
    },
    wrong_password: {
      title: "Das ist nicht das Passwort",
      text: "Prüfen Sie es, auch die Groß- und Kleinschreibung, und versuchen Sie es noch einmal.",
    },
    rate_limited: { title: "Zu viele Versuche", text: "Versuchen Sie es in {wait} noch einmal." },
    too_many_unknown: {
      title: "Zu viele unbekannte Links",
      text: "Aus Ihrem Netz wurden zu viele Links aufgerufen, die es nicht gibt. Versuchen Sie es in {wait} noch einmal.",
    },
    no_password: { title: "Dieser Link hat kein Passwort", text: "Er nimmt nur Anfragen mit GET und HEAD an." },
    unsupported_media_type: {
      title: "Dieser Inhaltstyp wird nicht unterstützt",
      text: "Senden Sie das Feld password als application/x-www-form-urlencoded.",
    },
    invalid_request: { title: "Das Formular kam nicht vollständig an", text: "Senden Sie es noch einmal." },
    payload_too_large: {
      title: "Das ist zu lang für ein Passwort",
      text: "Das Formular darf höchstens {bytes} Bytes haben.",
    },
  },
  retrying: "Diese Seite versucht es von selbst noch einmal.",
  root: {
    title: "Kurzlinks",
    text: "Diese Domain ist für Kurzlinks. Öffnen Sie den vollständigen Link, den Sie bekommen haben.",
  },
  ownVisits: {
    title: "Besuche mit diesem Browser",
    counted: "Besuche von Kurzlinks auf {host} mit diesem Browser werden gezählt.",
    uncounted:
      "Besuche von Kurzlinks auf {host} mit diesem Browser werden nicht gezählt. Ein Cookie merkt sich das für bis zu 400 Tage.",
    leaveOut: "Nicht zählen",
    count: "Zählen",
  },
  password: { label: "Passwort", submit: "Weiter", back: "Zurück zum Link" },
  report: "Missbrauch melden",
  app: {
    title: "Dieser Link öffnet eine App",
    text: "Sie können ihm auch im Browser folgen.",
    open: "In der App öffnen",
    stay: "Im Browser weiter",
  },
  destination: {
    title: "Wohin dieser Link führt",
    hidden: "Sein Ziel sehen nur Besucher, die das Passwort haben.",
    app: "Auf diesem Gerät versucht er zuerst eine App:",
    ended: "Sein Besitzer schickt Besucher jetzt dorthin.",
    varies: "Andere Besucher können woandershin gelangen, zum Beispiel je nach Land oder Gerät.",
    follow: "Weiter",
    unicode: "In eigener Schrift heißt {name} {unicode}.",
  },
  verdict: {
    title: "Vorsicht bei diesem Link",
    pending: "Noch niemand hat geprüft, wohin dieser Link führt. Sehen Sie sich die Adresse an, bevor Sie weitergehen.",
    phishing: "Die Seite ahmt vielleicht eine andere nach, um an Passwörter oder Kartennummern zu kommen.",
    malware: "Die Seite installiert vielleicht schädliche Programme.",
    spam: "Der Link wurde als Spam gemeldet.",
    lookalike: "Die Adresse sieht aus wie die einer anderen Seite. Lesen Sie sie Buchstabe für Buchstabe.",
    shortener: "Das ist wieder ein Kurzlink. Wo er endet, ist hier nicht zu sehen.",
    other: "Die Seite verstößt vielleicht gegen die Regeln dieses Dienstes.",
    advisory: "Hinweis von Google",
    uncertain: "Eine Warnung kann falsch sein, und vor manchen schädlichen Seiten gibt es keine.",
  },
};
