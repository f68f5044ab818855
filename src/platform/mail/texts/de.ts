import type { LetterTexts, MailTexts } from "./en.ts";
import { openings } from "./de-openings.ts";

const IGNORE = "Wenn Sie das nicht wollten, müssen Sie nichts tun.";
const NOT_YOU =
  "Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest und beenden Sie die Sitzungen, die Sie nicht kennen.";
const SET_PASSWORD = "Neues Passwort festlegen";
const NOT_ME = "Das war ich nicht";
const ONCE_AN_HOUR = "Legen Sie ein neues Passwort fest. Der Link funktioniert einmal, eine Stunde lang.";
const UNDO_FACTOR =
  "Wenn Sie das nicht waren, öffnen Sie den Link. Er entfernt die zweiten Faktoren und Wiederherstellungscodes, die seitdem hinzugefügt wurden, und beendet alle Sitzungen, und das jetzige Passwort gilt nicht mehr. Sie bekommen eine weitere E-Mail, um ein neues festzulegen. Der Link funktioniert einmal, 7 Tage lang.";

const notice = (subject: string, ...paragraphs: string[]): LetterTexts => ({ subject, paragraphs });

/** What the mails say in German. */
export const texts: MailTexts = {
  letters: {
    verify_email: {
      subject: "Bestätigen Sie Ihre Adresse",
      paragraphs: [
        "Jemand, vermutlich Sie, hat sich mit dieser Adresse registriert.",
        "Der Link funktioniert einmal, 24 Stunden lang.",
        IGNORE,
      ],
      label: "Adresse bestätigen",
    },
    account_exists: notice(
      "Sie haben schon ein Konto",
      "Jemand, vermutlich Sie, hat sich mit dieser Adresse registriert, die schon ein Konto hat. Nichts wurde geändert.",
      "Melden Sie sich an, oder legen Sie ein neues Passwort fest, wenn Sie es vergessen haben.",
    ),
    reset_password: {
      subject: "Neues Passwort festlegen",
      paragraphs: [
        "Jemand, vermutlich Sie, will ein neues Passwort festlegen.",
        "Der Link funktioniert einmal, eine Stunde lang.",
        IGNORE,
      ],
      label: SET_PASSWORD,
    },
    password_changed: notice("Ihr Passwort wurde geändert", "Das Passwort Ihres Kontos wurde geändert.", NOT_YOU),
    confirm_email: {
      subject: "Bestätigen Sie Ihre neue Adresse",
      paragraphs: [
        "Jemand, vermutlich Sie, will diese Adresse für ein Konto verwenden.",
        "Öffnen Sie den Link in dem Browser, in dem Sie angemeldet sind. Er funktioniert einmal, eine Stunde lang.",
        IGNORE,
      ],
      label: "Adresse bestätigen",
    },
    email_in_use: notice(
      "Diese Adresse hat schon ein Konto",
      "Jemand, vermutlich Sie, will diese Adresse für ein anderes Konto verwenden. Nichts wurde geändert.",
    ),
    email_change_requested: {
      subject: "Ihre Adresse wird bald geändert",
      paragraphs: [
        "Jemand, vermutlich Sie, will eine andere Adresse für Ihr Konto verwenden.",
        "Wenn Sie das nicht waren: Mit dem Link bleibt diese Adresse, alle Sitzungen enden, und Sie können ein neues Passwort festlegen. Er funktioniert 7 Tage lang, auch nach der Änderung.",
      ],
      label: "Diese Adresse behalten",
    },
    email_changed: notice(
      "Ihre Adresse wurde geändert",
      "Ihr Konto hat jetzt eine andere Adresse.",
      "Wenn Sie das nicht waren, verwenden Sie den Link in der E-Mail, die die Änderung angekündigt hat.",
    ),
    email_restored: {
      subject: "Ihre Adresse wurde wiederhergestellt",
      paragraphs: [
        "Ihr Konto hat wieder diese Adresse. Alle Sitzungen sind beendet, und das frühere Passwort gilt nicht mehr.",
        ONCE_AN_HOUR,
      ],
      label: SET_PASSWORD,
    },
    first_totp_added: {
      subject: "Eine Authenticator-App wurde hinzugefügt",
      paragraphs: ["Die Anmeldung bei Ihrem Konto braucht jetzt einen Code der App.", UNDO_FACTOR],
      label: NOT_ME,
    },
    first_passkey_added: {
      subject: "Ein Passkey wurde hinzugefügt",
      paragraphs: [
        "Ihr Konto hat einen Passkey, mit dem man sich anmelden kann. Die Anmeldung mit dem Passwort braucht ihn jetzt auch.",
        UNDO_FACTOR,
      ],
      label: NOT_ME,
    },
    totp_added: notice(
      "Eine Authenticator-App wurde hinzugefügt",
      "Ihr Konto hat eine Authenticator-App, deren Codes ein weiterer zweiter Faktor sind.",
      NOT_YOU,
    ),
    totp_removed: notice(
      "Die Authenticator-App wurde entfernt",
      "Ihre Codes gelten nicht mehr für Ihr Konto.",
      NOT_YOU,
    ),
    passkey_added: notice(
      "Ein Passkey wurde hinzugefügt",
      "Ihr Konto hat einen neuen Passkey, mit dem man sich anmelden kann.",
      NOT_YOU,
    ),
    passkey_removed: notice("Ein Passkey wurde entfernt", "Ein Passkey gilt nicht mehr für Ihr Konto.", NOT_YOU),
    recovery_codes_replaced: {
      subject: "Sie haben neue Wiederherstellungscodes",
      paragraphs: [
        "Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die früheren gelten nicht mehr.",
        UNDO_FACTOR,
      ],
      label: NOT_ME,
    },
    factors_undone: {
      subject: "Die neuen zweiten Faktoren wurden entfernt",
      paragraphs: [
        "Die zweiten Faktoren und Wiederherstellungscodes, die Ihrem Konto zuletzt hinzugefügt wurden, gelten nicht mehr. Alle Sitzungen sind beendet, und das frühere Passwort gilt nicht mehr.",
        ONCE_AN_HOUR,
        "Sehen Sie sich danach Ihre API-Schlüssel, Webhooks und geteilten Seiten an: Beenden Sie die, die nicht von Ihnen sind.",
      ],
      label: SET_PASSWORD,
    },
    recovery_code_used: notice(
      "Ein Wiederherstellungscode wurde verwendet",
      "Jemand, vermutlich Sie, hat sich mit einem Wiederherstellungscode Ihres Kontos angemeldet. Er gilt kein zweites Mal.",
      NOT_YOU,
    ),
    wrong_codes: notice(
      "Jemand hat Ihr Passwort",
      "Jemand hat das Passwort Ihres Kontos eingegeben und danach mehrere falsche Codes. Niemand wurde angemeldet.",
      "Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest: Jemand anderes kennt das jetzige.",
    ),
    factors_reset: notice(
      "Ihre zweiten Faktoren wurden entfernt",
      "Der Betreiber des Dienstes hat die Authenticator-App, die Passkeys und die Wiederherstellungscodes Ihres Kontos entfernt, alle Sitzungen beendet und alle Apps getrennt.",
      "Wenn Sie nicht darum gebeten haben, legen Sie sofort ein neues Passwort fest und sagen Sie es dem Betreiber.",
    ),
    reset_link_made: notice(
      "Ein Admin hat einen Link für ein neues Passwort für Sie erstellt",
      "Jemand mit einer höheren Rolle in Ihrem Team hat einen Link erstellt, mit dem Ihr Passwort geändert werden kann, eine Stunde lang.",
      "Wenn Sie nicht darum gebeten haben, legen Sie sofort ein neues Passwort fest, was den Link beendet, und sagen Sie es dem Betreiber.",
    ),
    sign_in_link_made: notice(
      "Der Betreiber hat einen Link erstellt, um sich als Sie anzumelden",
      "Der Betreiber des Dienstes hat Links erstellt, mit denen jemand sich als Sie anmelden oder ein neues Passwort festlegen kann, eine Stunde lang. Nach zweiten Faktoren wird weiterhin gefragt.",
      "Wenn Sie nicht darum gebeten haben, legen Sie sofort ein neues Passwort fest, was die Links beendet, und fragen Sie den Betreiber.",
    ),
    app_connected: notice(
      "Eine App wurde verbunden",
      "Sie haben eine App verbunden, die jetzt in einem Konto für Sie handeln kann.",
      "Wenn Sie das nicht waren, trennen Sie sie in den Einstellungen, beenden Sie die Sitzungen, die Sie nicht kennen, und legen Sie ein neues Passwort fest.",
    ),
    app_disconnected: notice(
      "Eine App wurde getrennt",
      "Eine App, die Sie verbunden hatten, kann nicht mehr für Sie handeln.",
    ),
    app_token_reused: notice(
      "Jemand hat vielleicht die Tokens einer App kopiert",
      "Ein Code oder Token einer App, die Sie verbunden hatten, wurde noch einmal verwendet. Jemand hat vielleicht eine Kopie, oder die App hat eine Antwort verloren. Deshalb wurde die App getrennt und kann nicht mehr für Sie handeln.",
      "Suchen Sie nach Änderungen, die Sie nicht kennen; Inhaber und Admins des Kontos finden sie im Audit-Log. Verbinden Sie die App nur dann wieder, wenn Sie dem Gerät oder Dienst vertrauen, auf dem sie läuft.",
    ),
    page_shared: notice(
      "Eine Seite wurde geteilt",
      "Sie haben eine Seite mit Klicks geteilt. Wer ihre URL hat, kann sie öffnen, bis sie gelöscht wird.",
      "Wenn Sie das nicht waren, setzen Sie in den Einstellungen ein neues Passwort. Das beendet auch alle anderen Sitzungen und löscht, wenn Sie nichts anderes wählen, die Seiten, die Sie geteilt haben.",
    ),
    key_created: notice("Ein API-Schlüssel wurde erstellt", "Sie haben einen API-Schlüssel erstellt.", NOT_YOU),
    key_revoked: notice("Ein API-Schlüssel wurde widerrufen", "Sie haben einen API-Schlüssel widerrufen.", NOT_YOU),
    key_changed: notice("Ein API-Schlüssel wurde geändert", "Sie haben einen API-Schlüssel geändert.", NOT_YOU),
    export_started: notice(
      "Ein Export wurde gestartet",
      "Sie haben eine Datei mit allen Daten eines Kontos angefordert. Inhaber des Kontos können sie 7 Tage lang herunterladen.",
      NOT_YOU,
    ),
    taken_down: notice(
      "Etwas von Ihnen wurde gesperrt",
      "Der Betreiber des Dienstes hat das entschieden. Besucher der Links sehen eine neutrale Seite. Ihre Daten bleiben erhalten.",
      "Wenn Sie das für einen Fehler halten, melden Sie sich an und legen Sie Einspruch ein: in den Einstellungen des Kontos, unter „Sperrungen“.",
    ),
    takedown_reversed: notice(
      "Eine Sperrung wurde aufgehoben",
      "Der Betreiber des Dienstes hat das entschieden. Die Links funktionieren in einer Minute wieder.",
    ),
    appeal_decided: notice(
      "Über Ihren Einspruch wurde entschieden",
      "Ein Betreiber des Dienstes hat ihn gelesen und entschieden.",
    ),
    reports_wait: notice(
      "Meldungen warten auf eine Entscheidung",
      "Besucher haben Links gemeldet, oder Inhaber haben Einspruch gegen Sperrungen eingelegt. Das steht auf der Seite /app/admin.",
      "Eine solche E-Mail kommt höchstens einmal in der Stunde.",
    ),
    reports_fill: notice(
      "Meldungen füllen die Hälfte ihres Platzes",
      "Die Hälfte der Meldungen, für die Platz ist, wartet auf eine Entscheidung. Bis sie entschieden sind, wird eine weitere nur dann gespeichert, wenn keine andere desselben Links oder aus demselben Netz wartet.",
      "Entscheiden Sie sie auf der Seite /app/admin. Sie können viele auf einmal abweisen, und wer ein Konto, eine Domain oder einen Host sperrt, entscheidet die Meldungen aller Links davon.",
      "Eine solche E-Mail kommt höchstens einmal in der Stunde.",
    ),
    links_screened: notice(
      "Links von Ihnen sind gesperrt oder werden mit einer Warnung gezeigt",
      "Das wurde automatisch entschieden, nach Listen und Anbietern, die der Betreiber des Dienstes gewählt hat. Besucher eines gesperrten Links sehen eine neutrale Seite. Besucher der anderen sehen zuerst das Ziel und eine Warnung. Auf der Seite jedes Links steht es.",
      "Ein Link, der ein anderes Ziel bekommt, wird sofort neu geprüft. Wenn Sie das für einen Fehler halten, antworten Sie auf diese E-Mail mit der Kurz-URL: Der Betreiber kann einen Host erlauben.",
      "Eine solche E-Mail kommt höchstens einmal in der Stunde, und höchstens einmal am Tag mit demselben Host aus demselben Grund.",
    ),
    destinations_broken: notice(
      "Ziele Ihrer Links sind defekt",
      "Eine Seite fehlt, meldet einen Fehler oder antwortet nicht, und das bei mehreren Besuchen. Besucher werden weiterhin dorthin geleitet. Die Liste der Links auf der Seite /app/links?destination=broken zeigt alle diese Links: Geben Sie ihnen ein anderes Ziel, oder deaktivieren Sie sie.",
      "Eine solche E-Mail kommt höchstens einmal am Tag. Ein Inhaber kann diese E-Mails in den Einstellungen des Kontos unter „Allgemein“ abschalten.",
    ),
    weekly_report: notice(
      "Ihr wöchentlicher Bericht über Klicks",
      "Sie haben diesen Bericht als Mitglied des Kontos angefordert.",
    ),
    monthly_report: notice(
      "Ihr monatlicher Bericht über Klicks",
      "Sie haben diesen Bericht als Mitglied des Kontos angefordert.",
    ),
    operator_added: notice(
      "Sie sind Betreiber",
      "Sie können jetzt Links, Konten und Domains des Dienstes sperren, mit einem zweiten Faktor. Die Seite ist /app/admin.",
      "Wenn Sie das nicht erwarten, sagen Sie es dem, der den Dienst betreibt.",
    ),
    operator_removed: notice("Sie sind nicht mehr Betreiber", "Sie können nicht mehr für den Dienst handeln."),
    role_changed: notice("Ihre Rolle wurde geändert", "Sie haben in einem Team jetzt eine andere Rolle."),
    membership_ended: notice("Sie haben ein Team verlassen", "Sie sind nicht mehr Mitglied eines Teams."),
    account_deleted: notice(
      "Ihr Konto ist gelöscht",
      "Sie haben Ihr Konto gelöscht. Seine Links und API-Schlüssel funktionieren nicht mehr, und alle Sitzungen sind beendet.",
      "In 7 Tagen ist alles darin weg. Bis dahin können Sie sich anmelden und es wiederherstellen.",
      "Wenn Sie das nicht waren, melden Sie sich an, stellen Sie das Konto wieder her und legen Sie sofort ein neues Passwort fest.",
    ),
    account_restored: notice(
      "Ihr Konto ist wiederhergestellt",
      "Ihr Konto ist so, wie es war, bevor Sie es gelöscht haben.",
      NOT_YOU,
    ),
    team_deleted: notice(
      "Ein Team ist gelöscht",
      "Ein Team, das Ihnen gehört, wurde gelöscht. Seine Links und API-Schlüssel funktionieren nicht mehr.",
      "In 7 Tagen ist alles darin weg. Bis dahin kann ein Inhaber es wiederherstellen.",
    ),
    team_restored: notice("Ein Team ist wiederhergestellt", "Ein gelöschtes Team, das Ihnen gehört, ist wie zuvor."),
    invitation: {
      subject: "Sie sind eingeladen",
      paragraphs: [
        "Der Link öffnet die Einladung. Danach melden Sie sich mit dieser Adresse an, oder Sie registrieren sich mit ihr.",
        "Er funktioniert einmal, 7 Tage lang.",
        "Wenn Sie das nicht erwarten, müssen Sie nichts tun.",
      ],
      label: "Einladung öffnen",
    },
  },
  ...openings,
};
