import { formatCount, formatSize } from "../../lib/format.ts";
import type { refusals as english } from "../en/refusals.ts";
import { links, plural } from "./german.ts";
import { resources } from "./resources.ts";

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Why a request was refused as a whole. */
export const refusals: typeof english = {
  // Anything
  not_found: ({ resource }) => `${upperFirst(resources[resource][0])} gibt es nicht oder nicht mehr.`,
  of_another_account: ({ resource }) =>
    `${upperFirst(resources[resource][0])} gibt es nur in einem anderen Konto. Wechseln Sie zuerst dorthin.`,
  limit_reached: ({ resource, max }) =>
    `${resources[resource][1]}: Es gibt schon ${formatCount(max)}, mehr sind nicht möglich. ${resources[resource][2] ?? "Entfernen Sie zuerst etwas davon."}`,
  too_many_running: ({ resource, max }) =>
    `${resources[resource][1]}: Es laufen schon ${formatCount(max)}, mehr sind nicht möglich. ${resources[resource][2] ?? "Warten Sie, bis etwas davon beendet ist."}`,
  changed_meanwhile: ({ resource }) =>
    `Eine andere Anfrage hat gerade ${resources[resource][0]} geändert. Nichts wurde getan. Laden Sie die Seite neu und versuchen Sie es noch einmal.`,
  changed_since_read: ({ resource }) =>
    `Jemand anderes hat ${resources[resource][0]} inzwischen geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.`,
  changed_since_job: "Der Link wurde nach dem Auftrag geändert, deshalb wurde bei ihm nichts rückgängig gemacht.",
  access_changed: ({ resource }) =>
    `Ihr Zugang hat sich gerade geändert (${resources[resource][1]}). Nichts wurde getan. Laden Sie die Seite neu.`,
  exists: ({ resource, value }) =>
    `${upperFirst(resources[resource][0])} gibt es schon${value === undefined ? "" : `: ${value}`}.`,
  taken: ({ field, value }) => `${field}: „${value}“ ist vergeben. Wählen Sie etwas anderes.`,
  wrong_state: ({ resource }) => `Für ${resources[resource][0]} ist das im jetzigen Zustand nicht möglich.`,
  decided_already: ({ resource }) => `Über ${resources[resource][0]} ist schon entschieden.`,

  // Too many calls: the wait follows
  too_many_attempts: "Es gab zu viele falsche Versuche.",
  too_many_started: ({ resource, max }) =>
    `${resources[resource][1]}: In einer Stunde sind höchstens ${formatCount(max)} möglich.`,
  too_many_uploads: ({ max }) =>
    `In einer Stunde ${max === 1 ? "kann höchstens 1 Datei" : `können höchstens ${formatCount(max)} Dateien`} hochgeladen werden.`,
  csv_is_being_written:
    "Gerade wird eine andere CSV-Datei dieses Kontos geschrieben. Das geht nur mit einer Datei auf einmal.",
  too_many_viewers: "Gerade sehen zu viele Personen die geteilten Seiten dieses Kontos an.",
  too_many_invitations: "Diese Adresse hat in letzter Zeit schon mehrere Einladungen bekommen.",
  too_many_mails: "Der Dienst verschickt gerade zu viele E-Mails. Es wurde keine gesendet.",
  too_many_reset_links: ({ max }) =>
    `Für diese Person gab es in der letzten Stunde schon ${formatCount(max)} solche Links. Mehr sind nicht möglich.`,
  too_many_own_mails: "Ihre Adresse hat zu viele E-Mails über solche Änderungen bekommen. Nichts wurde geändert.",

  // What does not work at the moment
  dns_failed: ({ value }) =>
    `Die DNS-Einträge von ${value} konnten nicht gelesen werden. Nichts wurde geändert. Prüfen Sie die Nameserver der Domain und versuchen Sie es noch einmal.`,
  free_plan_used_up:
    "Der kostenlose Tarif von Cloudflare lässt diesen Dienst heute nichts mehr tun. Um 00:00 UTC geht es weiter, oder sobald sein Betreiber den Tarif Workers Paid hat.",
  no_mail: "Dieser Dienst kann noch keine E-Mails senden. Sein Betreiber muss das einrichten.",
  unclaimed: "Diese Installation hat noch keinen Besitzer. Ihr Betreiber muss sie zuerst übernehmen.",
  no_base_url: "Bei diesem Dienst kann sich noch niemand anmelden. Sein Betreiber muss das einrichten.",

  // Bodies and URLs
  body_too_large: ({ max }) => `Das ist größer als ${formatSize(max)}. Kürzen Sie es, oder teilen Sie es auf.`,
  changes_too_large: ({ max }) => `Die Änderungen sind größer als ${formatSize(max)}. Kürzen Sie sie.`,
  link_too_large: ({ max }) => `Der Link ist größer als ${formatSize(max)}. Kürzen Sie seine Texte und Regeln.`,
  file_too_large: ({ max }) => `Die Datei ist größer als ${formatSize(max)}. Teilen Sie sie in mehrere Dateien auf.`,
  cut_body: "Was Sie gesendet haben, kam nicht vollständig an. Versuchen Sie es noch einmal.",
  cut_url: "Diese URL ist nicht vollständig. Kopieren Sie sie noch einmal aus der E-Mail.",

  // Links
  slug_used_again: ({ value }) =>
    `Der Slug ${value} wurde nach dem Löschen wieder verwendet, deshalb kann dieser Link nicht wiederhergestellt werden.`,
  no_free_slug: "Kein freier Slug wurde gefunden. Versuchen Sie es noch einmal.",
  aliases_of_domain:
    "Der Link hat frühere Slugs, die mit seiner Domain enden würden. Entfernen Sie auch diese, oder lassen Sie die Domain, wie sie ist.",
  keeps_short_url:
    "Dieser Link wurde ohne Konto erstellt, auf einem Host für solche Links. Seine Domain und sein Slug lassen sich nicht ändern.",
  not_a_link_id: "Diesen Link gibt es nicht.",
  no_link_at_url: "In diesem Konto gibt es keinen Link mit dieser Kurz-URL.",
  too_many_aliases: ({ max }) =>
    `Der Link hat schon ${formatCount(max)} frühere Slugs, mehr sind nicht möglich, und dieser käme dazu. Entfernen Sie zuerst einen davon.`,
  domain_refused: ({ value, suggestion }) =>
    `${value} ist keine bestätigte Domain dieses Kontos. ${suggestion === undefined ? "Fügen Sie sie zuerst hinzu und bestätigen Sie sie." : `Geben Sie nur den Namen des Hosts an, etwa ${suggestion}.`}`,
  too_many_links: ({ max }) =>
    `Dieses Konto darf höchstens ${links(max)} haben. Löschen Sie Links, oder bitten Sie den Betreiber des Dienstes um mehr.`,
  too_many_link_bytes: ({ days }) =>
    `Die Links dieses Kontos brauchen mehr Platz, als es haben darf. Kürzen oder löschen Sie Links, oder bitten Sie den Betreiber des Dienstes um mehr. Ein gelöschter Link zählt, bis er nach ${days} Tagen endgültig gelöscht wird.`,
  members_only: "Dieser Dienst kürzt URLs nur für seine Benutzer. Melden Sie sich an.",

  // Domains
  links_use_domain: ({ value }) => `Links verwenden ${value} noch. Löschen Sie sie zuerst.`,
  links_being_deleted: ({ value }) =>
    `Die früheren Links von ${value} werden noch gelöscht. Versuchen Sie es in einer Minute noch einmal.`,
  case_is_set: ({ value, days }) =>
    `Die Unterscheidung von Groß- und Kleinschreibung lässt sich bei ${value} nicht ändern, weil dieses Konto dort Links hat, oder gelöschte, die sich wiederherstellen lassen. Verschieben Sie die Links zuerst auf eine andere Domain. Gelöschte Links zählen nach ${days} Tagen nicht mehr.`,
  case_of_deleted_links: ({ value, days }) =>
    `Dieses Konto hat bei ${value} gelöschte Links, die sich wiederherstellen lassen, deshalb muss die Unterscheidung von Groß- und Kleinschreibung so sein wie zuvor. Sie zählen nach ${days} Tagen nicht mehr.`,
  has_nested_slugs: ({ value, days }) =>
    `Schrägstriche in Slugs bleiben bei ${value} erlaubt, weil Links dort welche in ihrem Slug oder in früheren Slugs haben, oder gelöschte Links, die sich wiederherstellen lassen. Geben Sie den Links andere Slugs und entfernen Sie solche früheren Slugs, oder löschen Sie die Links. Gelöschte Links zählen nach ${days} Tagen nicht mehr.`,
  verified_elsewhere: ({ value }) =>
    `Ein anderes Konto hat ${value} bestätigt. Bestätigen Sie die Domain noch einmal, wenn jenes Konto sie gelöscht hat oder sein TXT-Eintrag eine Woche lang gefehlt hat.`,

  // Keys and webhooks
  expires_after_caller:
    "Ein Schlüssel kann keinen Schlüssel erstellen oder erweitern, der später abläuft als er selbst. Wählen Sie einen früheren Ablauf.",
  key_lacks_maker:
    "Die Person hinter diesem Schlüssel darf in diesem Konto keine Schlüssel mehr erstellen. Ein anderes Mitglied muss ihn erstellen.",
  key_of_caller:
    "Der verwendete Schlüssel ist dieser Schlüssel oder von ihm abgeleitet und würde auch widerrufen. Nichts wurde widerrufen. Verwenden Sie einen anderen Schlüssel, oder widerrufen Sie die Schlüssel einzeln.",
  key_revoked: "Dieser Schlüssel wurde widerrufen, und das ist endgültig. Erstellen Sie einen neuen.",
  webhook_inactive: "Dieser Webhook ist inaktiv. Aktivieren Sie ihn zuerst.",
  click_delivered:
    "Dieser Klick wurde zugestellt. Die Ereignisse zugestellter Klicks werden nicht aufbewahrt, deshalb kann er nicht noch einmal gesendet werden.",
  delivery_dropped: "Diese Zustellung wurde verworfen, weil zu viele warteten. Ihr Ereignis ist nicht aufbewahrt.",
  too_many_secrets: ({ max }) =>
    `Dieser Webhook signiert schon mit ${plural(max, "Secret", "Secrets")}, mehr sind nicht möglich. Warten Sie, bis das älteste davon abgelaufen ist.`,

  // Second factors
  team_needs_factor: "Dieses Team verlangt einen zweiten Faktor. Fügen Sie Ihrer Anmeldung zuerst einen hinzu.",
  team_needs_proof: "Dieses Team verlangt einen zweiten Faktor. Bestätigen Sie mit dem, den Sie haben.",
  operators_need_factor: "Betreiber brauchen einen zweiten Faktor. Fügen Sie Ihrer Anmeldung zuerst einen hinzu.",
  operators_need_proof: "Betreiber brauchen einen zweiten Faktor. Bestätigen Sie mit dem, den Sie haben.",
  own_factor_first:
    "Fügen Sie zuerst Ihrer eigenen Anmeldung einen zweiten Faktor hinzu, oder bestätigen Sie mit dem, den Sie haben. Danach können Sie ihn von anderen verlangen.",

  // Accounts, teams, persons
  not_a_member: "Sie sind kein Mitglied dieses Kontos.",
  account_disabled: "Der Betreiber dieses Dienstes hat dieses Konto deaktiviert.",
  deletion_has_begun: "Die 7 Tage sind vorbei. Das Konto wird endgültig gelöscht.",
  only_owner: ({ value }) =>
    `Sie sind der einzige Inhaber von ${value}. Machen Sie ein anderes Mitglied zum Inhaber, oder löschen Sie das Team, und versuchen Sie es noch einmal.`,
  last_owner:
    "Ein Team braucht einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber. Nichts wurde geändert.",
  role_too_low: "Mit Ihrer Rolle können Sie diese Rolle nicht geben oder nehmen. Fragen Sie einen Inhaber des Teams.",
  role_not_lower:
    "Dieser Dienst sendet keine E-Mails, also bekämen Sie den Link. Ihre Rolle bekommt nur Links für niedrigere Rollen. Andere kann der Betreiber des Dienstes erstellen.",
  has_more_access:
    "Diese Person darf etwas, das Sie nicht dürfen, oder kam nicht mit einer Einladung in dieses Team. Nur der Betreiber des Dienstes kann diesen Link erstellen.",
  mail_works: "Dieser Dienst sendet E-Mails. Das Mitglied bekommt eine mit „Passwort vergessen?“.",
  ends_own_access:
    "Was Sie im Team erstellt haben, endet mit Ihrer Rolle. Soll es bleiben, bitten Sie ein anderes Mitglied um die Änderung.",
  is_member: "Eine Person mit dieser Adresse ist schon Mitglied.",
  other_address:
    "Diese Einladung ist für eine andere Adresse. Melden Sie sich mit der Adresse an, die die E-Mail bekommen hat.",
  person_deleted: "Das Konto dieser Person ist gelöscht. Nennen Sie ein anderes Mitglied.",
  sign_up_closed: "Bei diesem Dienst kann sich niemand registrieren. Bitten Sie seinen Betreiber um ein Konto.",
  already_claimed: "Diese Installation hat schon einen Besitzer. Melden Sie sich an.",
  has_account: "Diese Adresse hat schon ein Konto. Melden Sie sich damit an, um dem Team beizutreten.",
  other_person: "Eine andere Person wollte diese Änderung. Melden Sie sich als diese Person an.",
  no_passkey: "Sie haben keinen Passkey. Bestätigen Sie mit etwas anderem, was Sie haben, etwa mit einem Code.",
  no_factor:
    "Wiederherstellungscodes sind für Personen mit einer Authenticator-App oder einem Passkey. Fügen Sie zuerst so etwas hinzu.",
  wrong_sign_in: "Die Adresse oder das Passwort ist falsch.",
  wrong_own_password: "Das Passwort ist falsch.",
  wrong_second_factor:
    "Der Code ist falsch oder wurde schon verwendet. Eine Authenticator-App zeigt alle 30 Sekunden einen neuen.",
  refused_passkey:
    "Der Passkey wurde nicht angenommen: Er ist unbekannt, wurde entfernt oder hat die Person nicht geprüft.",
  dead_challenge: "Das hat zu lange gedauert oder ist schon geschehen. Beginnen Sie von vorn.",
  invalid_passkey:
    "Die Antwort des Browsers für den neuen Passkey ist ungültig. Versuchen Sie es noch einmal, oder nehmen Sie ein anderes Gerät.",

  // Exports and imports
  export_failed: "Der Export ist fehlgeschlagen. Starten Sie einen neuen.",
  job_not_allowed:
    "Das Konto wurde gelöscht oder deaktiviert, oder die Person oder der API-Schlüssel dahinter darf das nicht mehr.",
  job_given_up: "Ein Teil des Dienstes ist wiederholt ausgefallen. Versuchen Sie es später noch einmal.",
  job_given_up_undoable:
    "Ein Teil des Dienstes ist wiederholt ausgefallen. Was bis dahin getan wurde, lässt sich rückgängig machen.",
  code_not_drawn: ({ value }) => `Der QR-Code von ${value} lässt sich nicht zeichnen. Wählen Sie einen anderen Stil.`,
  export_too_large: ({ max }) =>
    `Die Datei wäre größer als ${formatSize(max)}. Exportieren Sie weniger Links oder einen kürzeren Zeitraum.`,
  too_many_matches: ({ max }) =>
    `Der Filter trifft auf mehr als ${links(max)} zu, deshalb wurde nichts geändert. Engen Sie ihn ein, etwa durch die Zeit der Erstellung.`,
  export_not_done: "Der Export ist noch nicht fertig.",
  file_is_workbook:
    "Die Datei ist eine Arbeitsmappe von Excel oder einem ähnlichen Programm. Speichern Sie das Blatt mit den Links als CSV (in Excel als „CSV UTF-8“), und laden Sie das hoch. Die Arbeitsmappe mit der Statistik von Short.io hat keine Links: Exportieren Sie dort die Links als CSV.",
  file_is_archive: "Die Datei ist ein ZIP-Archiv. Entpacken Sie es, und laden Sie die CSV- oder JSON-Datei darin hoch.",
  file_is_compressed:
    "Die Datei ist komprimiert. Entpacken Sie sie, und laden Sie die CSV- oder JSON-Datei darin hoch.",
  file_is_pdf:
    "Die Datei ist ein PDF, aus dem sich Links nicht sicher lesen lassen. Exportieren Sie die Links beim alten Dienst als CSV oder JSON, und laden Sie das hoch.",
  file_is_web_page:
    "Die Datei ist eine Webseite. Exportieren Sie die Links beim alten Dienst als CSV oder JSON, und laden Sie diese Datei hoch. Eine Tabelle einer Webseite lässt sich in einer Tabellenkalkulation als CSV speichern.",
  file_not_readable:
    "Die Datei ist weder in UTF-8 noch in UTF-16. Speichern Sie sie in UTF-8 (in Excel als „CSV UTF-8“), und laden Sie sie noch einmal hoch.",
  file_not_whole: "Die Datei kam nicht vollständig an. Laden Sie sie noch einmal hoch.",
  file_empty: "Die Datei ist leer.",
  file_without_links: "Die Datei hat keine Links.",
  file_of_imported: "Alle Links dieser Fehlerliste wurden importiert.",
  file_without_header: "Die erste Zeile der Datei muss ihre Spalten nennen, etwa „url,slug,title“.",
  file_too_long: ({ max }) => `Die Datei hat mehr als ${links(max)}. Teilen Sie sie in mehrere Dateien auf.`,
  file_too_wide: ({ max }) => `Die Datei hat mehr als ${formatCount(max)} Spalten oder verschiedene Felder.`,
  file_names_too_long: ({ max }) => `Die Namen der Spalten haben mehr als ${formatCount(max)} Bytes.`,
  file_row_too_long: ({ at, max }) =>
    `Die Zeile, die in Zeile ${at} der Datei beginnt, hat mehr als ${formatCount(max)} Bytes. Suchen Sie darin ein Anführungszeichen, das nicht geschlossen ist.`,
  file_open_quote: ({ at }) =>
    `Die Zeile, die in Zeile ${at} der Datei beginnt, hat ein Anführungszeichen, das nicht geschlossen ist. Die Datei ist vielleicht unvollständig.`,
  file_object_too_long: ({ at, max }) => `Objekt ${at} der Datei hat mehr als ${formatCount(max)} Bytes.`,
  file_object_too_deep: ({ at, max }) => `Objekt ${at} der Datei ist mehr als ${max} Ebenen tief verschachtelt.`,
  file_not_json: ({ at }) => `Die Datei ist kein gültiges JSON. Objekt ${at} oder was ihm folgt ist nicht lesbar.`,
  file_json_cut: ({ actual }) => `Die Datei endet mitten im JSON; vollständige Objekte davor: ${formatCount(actual)}.`,
  file_of_other_source: ({ value }) =>
    `Das ist kein Export von ${value}. Laden Sie die Datei als die eines anderen Dienstes hoch, oder lassen Sie den Dienst erkennen.`,
  no_destination_column: "Es ist nicht bekannt, welche Spalte der Datei die Ziele hat. Wählen Sie sie zuerst.",

  // The console of operators
  screening_off: "Die Prüfung ist ausgeschaltet. Eingeschaltet wird sie in der Konfiguration des Dienstes.",
  decide_with_reverse: "Die Sperrung ist schon aufgehoben. Entscheiden Sie den Einspruch ebenso.",
  takedown_reversed: "Die Sperrung ist schon aufgehoben.",
  nothing_to_take_down: "Der Link hat nichts dieser Art, was sich sperren lässt.",
};
