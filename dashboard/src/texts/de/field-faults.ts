import { formatCount } from "../../lib/format.ts";
import type { fieldFaults as english } from "../en/field-faults.ts";
import { plural } from "./german.ts";
import { blockReasons, forms } from "./fault-words.ts";
import { resources } from "./resources.ts";

const items = (count: number) => plural(count, "Eintrag", "Einträge");

/** In brackets, if it has a word here. */
const inBrackets = (words: Readonly<Partial<Record<string, string>>>, word: string) =>
  words[word] === undefined ? "" : ` (${words[word]})`;

/** What is wrong with a field, after its name and a colon. */
export const fieldFaults: typeof english = {
  // Presence, types, sizes
  required: "Pflichtfeld",
  required_without: ({ field }) => `ist nötig, wenn „${field}“ fehlt`,
  repeated: "steht mehrmals in der Liste",
  not_together: ({ field }) => `geht nicht zusammen mit „${field}“`,
  needs: ({ field }) => `geht nur zusammen mit „${field}“`,
  differs: ({ field }) => `muss mit „${field}“ übereinstimmen`,
  invalid: "ungültig",
  wrong_form: ({ expected }) => (forms[expected] === undefined ? "ungültig" : `muss ${forms[expected]}`),
  empty: "darf nicht leer sein",
  too_short: ({ min }) => `muss mindestens ${formatCount(min)} Zeichen haben`,
  too_long: ({ max }) => `darf höchstens ${formatCount(max)} Zeichen haben`,
  too_long_encoded: ({ max }) => `darf höchstens ${formatCount(max)} Zeichen haben, mit der Prozent-Kodierung`,
  wrong_length: ({ min, max }) => `muss ${formatCount(min)} bis ${formatCount(max)} Zeichen haben`,
  too_few: ({ min }) => `muss mindestens ${items(min)} haben`,
  too_many: ({ max }) => `darf höchstens ${items(max)} haben`,
  too_many_bytes: ({ max, actual }) =>
    `darf höchstens ${formatCount(max)} Bytes haben${actual === undefined ? "" : `; jetzt sind es ${formatCount(actual)}`}`,
  too_small: ({ min }) => `muss mindestens ${formatCount(min)} sein`,
  too_large: ({ max }) => `darf höchstens ${formatCount(max)} sein`,
  not_more_than: ({ min }) => `muss größer als ${formatCount(min)} sein`,
  out_of_range: ({ min, max }) => `muss zwischen ${formatCount(min)} und ${formatCount(max)} liegen`,
  not_whole: "muss eine ganze Zahl sein",
  not_one_of: ({ allowed }) => `möglich ist nur: ${allowed.join(", ")}`,
  unreadable: "darf keine Zeilenumbrüche und keine unlesbaren Zeichen enthalten",
  unreadable_character: ({ value, at }) =>
    `darf keine unlesbaren Zeichen enthalten${value === undefined ? "" : `; entfernen Sie ${value}, das Zeichen Nummer ${at}`}`,
  has_spaces: "darf keine Leerzeichen, Zeilenumbrüche und unlesbaren Zeichen enthalten",
  has_spaces_or_backslashes:
    "darf keine Leerzeichen, umgekehrten Schrägstriche, Zeilenumbrüche und unlesbaren Zeichen enthalten",

  // Things, times, periods
  unknown: ({ resource, value }) =>
    `muss es in diesem Konto geben (${resources[resource][1]})${value === undefined ? "" : `; ${value} gibt es nicht`}`,
  not_a_time: "muss eine Zeit sein, die es gibt, von 1970 bis 9999",
  not_milliseconds: "muss nach 2001 liegen",
  in_the_past: "muss in der Zukunft liegen",
  in_the_future: "darf nicht in der Zukunft liegen",
  not_after: ({ field }) => `muss nach „${field}“ liegen`,
  not_before: ({ field }) => `muss vor „${field}“ liegen`,
  before_creation: "muss nach der Erstellung liegen",
  period_too_long: ({ max }) => `darf höchstens ${max} Jahre vor dem Ende liegen`,
  period_too_full: ({ max, resource }) =>
    `muss später sein: Dieser Zeitraum hat mehr als ${formatCount(max)} ${resources[resource][1]}`,
  too_many_buckets: ({ max }) => `muss gröber sein: Der Zeitraum hat mehr als ${formatCount(max)} dieser Schritte`,
  no_period_before: "geht nicht, weil es vor diesem Zeitraum keinen gibt",
  not_a_time_zone: "muss der Name einer Zeitzone sein, etwa Europe/Berlin",
  too_many_selected: ({ max, resource }) =>
    `umfasst mehr als ${formatCount(max)} ${resources[resource][1]}; wählen Sie weniger aus`,
  too_many_left_out: ({ max }) => `muss weniger Links ausschließen: höchstens ${formatCount(max)} sind möglich`,
  all_left_out: "schließt alles aus",

  // Destinations, hosts, addresses
  not_http: "muss mit http:// oder https:// beginnen",
  not_https: "muss eine URL sein, die mit https:// beginnt",
  not_a_url: "muss eine vollständige URL sein, etwa https://example.com/page",
  not_an_image_url: ({ max }) =>
    `muss die https-URL eines Bildes sein, mit einem Hostnamen und höchstens ${formatCount(max)} Zeichen`,
  not_an_app_url: "muss eine vollständige Adresse sein, etwa acme://spring",
  refused_scheme:
    "muss mit https:// oder dem Schema einer App beginnen, etwa acme:; Schemata, die einen Browser öffnen, bezahlen oder vom System selbst verarbeitet werden (javascript:, intent:, tel:, upi: und andere), sind nicht erlaubt",
  not_a_short_url: "muss eine Kurz-URL mit Host und Slug sein, etwa go.example/spring",
  too_long_with_utm: ({ max }) => `darf die URL nicht länger als ${formatCount(max)} Zeichen machen`,
  has_credentials: "darf keinen Benutzernamen und kein Passwort enthalten; entfernen Sie den Teil bis zum @",
  no_host: "muss nach // einen Host haben, etwa https://example.com/page",
  wrong_host: ({ value }) => `muss einen gültigen Host haben; ${value} ist keiner`,
  wrong_host_end: "muss einen Host haben, der mit einem Buchstaben endet oder eine IPv4-Adresse ist",
  wrong_host_characters: "muss einen Host aus Buchstaben, Ziffern, Bindestrichen, Unterstrichen und Punkten haben",
  empty_host_label: "darf keinen Host mit zwei Punkten hintereinander oder mit einem Punkt am Anfang haben",
  hyphen_at_label_end:
    "darf keinen Host haben, in dem ein Teil zwischen Punkten mit einem Bindestrich beginnt oder endet",
  host_label_too_long: ({ max }) => `darf zwischen zwei Punkten des Hosts höchstens ${formatCount(max)} Zeichen haben`,
  host_too_long: ({ max }) => `darf keinen Host mit mehr als ${formatCount(max)} Zeichen haben`,
  wrong_punycode: "muss einen gültigen internationalen Host haben; was nach xn-- steht, ist nicht lesbar",
  wrong_port: "muss einen Port von 1 bis 65535 haben",
  refused_port: ({ value }) => `darf nicht den Port ${value} haben, den Browser ablehnen`,
  refused_outbound_port: ({ min }) => `muss den Port 80, 443 oder einen von ${min} bis 65535 haben`,
  unreachable_host: ({ value, address }) =>
    `muss einen Host haben, den ein Browser erreicht; ${value} ist die Adresse ${address}`,
  unusual_ip_address: ({ suggestion }) => `muss die IPv4-Adresse in der üblichen Form haben, ${suggestion}`,
  private_host: "muss auf einem öffentlichen Host sein, nicht auf einem privaten oder internen",
  leads_back: "darf nicht zu diesem Dienst zurückführen",
  leads_to_domain: "darf nicht zu einer Domain dieses Dienstes führen",
  blocked: ({ reason }) =>
    `führt zu einem Host oder einer Seite, die dieser Dienst sperrt${inBrackets(blockReasons, reason)}`,
  too_many_nested_urls: ({ max }) =>
    `darf nicht so viele andere URLs enthalten; höchstens ${formatCount(max)} sind möglich`,
  not_a_host: "muss nur ein Hostname sein, etwa example.com; seine Subdomains gehören dazu",
  not_a_host_or_url: "muss ein Host sein, etwa evil.example, oder eine vollständige URL",
  not_a_host_name: "ist kein gültiger Hostname",
  not_only_a_host: ({ suggestion = "go.acme.com" }) => `muss nur der Name eines Hosts sein: ${suggestion}`,
  wildcard: "muss ein einzelner Name sein; Platzhalter gehen nicht",
  ip_address: "muss ein Name sein, keine IP-Adresse",
  wrong_host_labels:
    "muss aus Teilen von Buchstaben, Ziffern und Bindestrichen mit einem Punkt dazwischen bestehen, und kein Teil darf mit einem Bindestrich beginnen oder enden",
  too_few_labels: "muss mindestens zwei Teile haben, etwa go.acme.com",
  special_name: "hat eine Top-Level-Domain, die kein öffentlicher Host hat",
  public_suffix: "ist ein öffentliches Suffix, unter dem jeder Namen registrieren kann",
  own_host: "ist der eigene Host des Dienstes oder eine Subdomain davon",
  above_own_host: "ist eine Domain über dem eigenen Host des Dienstes",
  like_own_host: "sieht aus wie der eigene Host des Dienstes",
  anonymous_host: "ist der Host der Links, die ohne Konto erstellt werden",
  shared_host: "ist ein Host, bei dem viele eigene Seiten haben; sperren Sie die Subdomain oder die Links",
  not_an_email: "muss eine E-Mail-Adresse sein, etwa ann@example.com",
  email_not_ascii: "darf nur ASCII-Zeichen enthalten; eine internationale Domain wird in Punycode geschrieben (xn--…)",
  email_not_punycode: ({ suggestion }) => `muss die internationale Domain in Punycode haben: ${suggestion}`,

  // Links
  wrong_slug: ({ max }) =>
    `muss 1 bis ${formatCount(max)} Buchstaben, Ziffern, - oder _ haben. Eine eigene Domain kann einzelne Schrägstriche dazwischen erlauben`,
  reserved: "ist für den Dienst reserviert",
  nested_slugs_off:
    "hat einen Schrägstrich, wofür eine eigene Domain nötig ist, die Schrägstriche in Slugs erlaubt. Erlauben Sie sie in den Einstellungen der Domain, oder wählen Sie einen Slug ohne Schrägstrich",
  not_an_alias: "darf nur frühere Slugs des Links enthalten",
  dots_only: "darf nicht . oder .. sein, was kein Teil einer URL sein kann",
  too_many_tags: ({ max }) => `würde dem Link mehr als ${plural(max, "Tag", "Tags")} geben`,
  also_in: ({ field }) => `darf keinen Wert haben, den auch „${field}“ hat`,
  no_condition: "braucht mindestens eine Bedingung",
  not_a_country: "muss ein Land sein (ISO 3166-1), etwa DE oder GB",
  not_a_region: "muss eine Region sein (ISO 3166-2), etwa US-CA",
  not_a_language: "muss eine Sprache sein (BCP 47), etwa de oder pt-BR",
  repeated_country: "muss jedes Land nur einmal nennen",
  everybody: "muss kleiner als 100 sein; für alle Besucher lassen Sie es weg",
  on_together: ({ field }) => `kann nicht zusammen mit „${field}“ an sein. Schalten Sie das zuerst aus`,

  // QR codes
  not_a_colour: "muss #rgb oder #rrggbb sein",
  not_darker: ({ value }) =>
    `muss dunkler sein als der Hintergrund ${value}: Viele Scanner lesen keinen hellen Code auf dunklem Hintergrund`,
  low_contrast: ({ value, actual, min }) =>
    `hat zu wenig Kontrast zum Hintergrund ${value}: ${actual} zu 1, und Scanner brauchen ${min} zu 1`,
  as_bright: ({ value }) =>
    `ist etwa so hell wie der Hintergrund ${value}: Viele Scanner sehen keine Farben; nehmen Sie für diesen Stil eine dunklere Farbe oder einen helleren Hintergrund`,
  content_too_long: ({ level }) =>
    `ist zu lang für einen Code der Stufe ${level}; kürzen Sie, oder nehmen Sie eine niedrigere Stufe`,
  too_long_for_style:
    "ist zu lang für diesen Stil; nehmen Sie einen kürzeren Inhalt, eine niedrigere Stufe oder eckige Punkte und Ecken ohne Rahmen",
  code_too_small: ({ min }) => `muss hier mindestens ${formatCount(min)} sein, damit Scanner den Code lesen können`,
  low_level: "muss mit einem Logo Q oder H sein, weil das Logo einen Teil des Codes verdeckt",
  logo_too_large: ({ max, level }) =>
    `darf bei Stufe ${level} höchstens ${formatCount(max)} sein, weil sie nicht mehr korrigiert`,
  small_margin: ({ min }) =>
    `muss mit einem Rahmen mindestens ${formatCount(min)} sein, weil Scanner ihn sonst für einen Teil des Codes halten`,
  unknown_letters: ({ value }) =>
    `kann die lateinischen Buchstaben europäischer Sprachen, Ziffern und Satzzeichen haben, aber nicht ${value}`,
  not_an_image: "muss ein PNG- oder JPEG-Bild sein",
  other_image: ({ value }) => `ist als Bild der Art ${value} angegeben, hat aber ein anderes Format`,
  cut_image: ({ value }) => `ist kein vollständiges ${value}`,
  too_many_pixels: ({ max }) =>
    `hat zu viele Pixel für PNG oder PDF: Verkleinern Sie es auf höchstens ${formatCount(max)} mal ${formatCount(max)}`,
  interlaced_image: "ist ein PNG mit Interlacing, das nur SVG zeigen kann: Speichern Sie es ohne Interlacing",
  cannot_unpack: "lässt sich nicht entpacken: Speichern Sie es als anderes PNG",

  // Rows of imports
  wrong_cell_count: ({ actual, max }) =>
    `hat ${plural(actual, "Zelle", "Zellen")}, die Datei aber ${plural(max, "Spalte", "Spalten")}`,
  open_quote:
    "hat ein Anführungszeichen, das Zeilen darunter einschließt. Schließen Sie es, oder verdoppeln Sie es, wenn es ein Zeichen des Textes ist",
  repeated_cell_name: ({ value }) => `nennt ${value} mehrmals. Nennen Sie jeden Namen einmal`,
  unknown_word: ({ value }) => `enthält das Wort ${value}, das weder Ja noch Nein ist. Schreiben Sie true oder false`,
  home_page: "ist die Adresse der Domain selbst. Legen Sie deren Ziel in den Einstellungen der Domain fest",
  no_column: "ist keine Spalte der Datei",
  mapped_twice: ({ field }) => `darf nicht „${field}“ sein, was schon eine andere Spalte ist`,

  // Accounts and persons
  not_the_name: ({ value }) => `muss der Name des Kontos sein: ${value}`,
  retention_out_of_range: ({ min, max }) =>
    `muss bei diesem Dienst zwischen ${formatCount(min)} und ${formatCount(max)} liegen`,
  common_password: "ist eines der häufigsten Passwörter; wählen Sie ein anderes",
  guessable_password:
    "besteht aus Ihrem Namen, Ihrer Adresse oder Wörtern dieses Dienstes; fügen Sie andere Wörter hinzu",
  breached_password: "ist aus einem Datenleck eines anderen Dienstes bekannt; wählen Sie ein anderes",
  other_browser: "ist nötig, weil dies nicht der Browser der Registrierung ist",
  wrong_setup_code: "ist nicht der Einrichtungscode dieser Installation",
  ended_setup_code:
    "gilt nicht mehr: Er wurde benutzt oder ist älter als 7 Tage. Erzeugen Sie einen neuen mit npm run account -- setup-code --remote",
  wrong_origin: ({ expected }: { expected: string }) => `muss ${expected} sein, die Adresse dieser Seite`,
  unclaimable_origin: "muss mit https: beginnen und darf weder eine Vorschau-Adresse noch eine eigene Domain sein",
  wrong_code: "ist falsch; prüfen Sie die Uhr des Geräts und versuchen Sie den nächsten Code",
  same_email: "ist schon Ihre Adresse",
  refused_email: "muss zu einer Domain gehören, die dieser Dienst annimmt",
  not_the_invited: "muss die eingeladene Adresse sein",
  dead_token: "gilt nicht: Er wurde verwendet, ist abgelaufen oder wurde ersetzt; fordern Sie eine neue E-Mail an",
  not_enough: "reicht hier nicht",
  yourself: "sind Sie selbst; nennen Sie ein anderes Mitglied",
};
