import type { FieldFaultTexts } from "../../api/fault-texts.ts";
import { formatCount } from "../../lib/format.ts";
import { blockReasons, forms } from "./fault-words.ts";
import { resources } from "./resources.ts";

const characters = (count: number) => `${formatCount(count)} ${count === 1 ? "character" : "characters"}`;
const items = (count: number) => `${formatCount(count)} ${count === 1 ? "item" : "items"}`;

/** In brackets, if it has a word here. */
const inBrackets = (words: Readonly<Partial<Record<string, string>>>, word: string) =>
  words[word] === undefined ? "" : ` (${words[word]})`;

/** What is wrong with a field, after its name: "The slug" and "is required". Fields in the values have their names in words. */
export const fieldFaults = {
  // Presence, types, sizes
  required: "is required",
  required_without: ({ field }) => `is required without “${field}”`,
  repeated: "is in the list more than once",
  not_together: ({ field }) => `must not be used together with “${field}”`,
  needs: ({ field }) => `needs “${field}” too`,
  differs: ({ field }) => `must be the same as “${field}”`,
  invalid: "is not valid",
  wrong_form: ({ expected }) => (forms[expected] === undefined ? "is not valid" : `must be ${forms[expected]}`),
  empty: "must not be empty",
  too_short: ({ min }) => `must have at least ${characters(min)}`,
  too_long: ({ max }) => `must have at most ${characters(max)}`,
  too_long_encoded: ({ max }) => `must have at most ${characters(max)}, percent-encoding included`,
  wrong_length: ({ min, max }) => `must have ${formatCount(min)} to ${characters(max)}`,
  too_few: ({ min }) => `must have at least ${items(min)}`,
  too_many: ({ max }) => `must have at most ${items(max)}`,
  too_many_bytes: ({ max, actual }) =>
    `must have at most ${formatCount(max)} bytes${actual === undefined ? "" : `; this one has ${formatCount(actual)}`}`,
  too_small: ({ min }) => `must be at least ${formatCount(min)}`,
  too_large: ({ max }) => `must be at most ${formatCount(max)}`,
  not_more_than: ({ min }) => `must be more than ${formatCount(min)}`,
  out_of_range: ({ min, max }) => `must be from ${formatCount(min)} to ${formatCount(max)}`,
  not_whole: "must be a whole number",
  not_one_of: ({ allowed }) => `must be one of these: ${allowed.join(", ")}`,
  unreadable: "must not contain line breaks or unreadable characters",
  unreadable_character: ({ value, at }) =>
    `must not contain unreadable characters${value === undefined ? "" : `; remove ${value}, which is character ${at}`}`,
  has_spaces: "must not contain spaces, line breaks or unreadable characters",
  has_spaces_or_backslashes: "must not contain spaces, backslashes, line breaks or unreadable characters",

  // Things, times, periods
  unknown: ({ resource, value }) =>
    `must be among the ${resources[resource][1]} of this account${value === undefined ? "" : `; ${value} is not`}`,
  not_a_time: "must be a time that exists, from 1970 to 9999",
  not_milliseconds: "must be after 2001",
  in_the_past: "must be in the future",
  in_the_future: "must not be in the future",
  not_after: ({ field }) => `must be after “${field}”`,
  not_before: ({ field }) => `must be before “${field}”`,
  before_creation: "must be after the creation",
  period_too_long: ({ max }) => `must be at most ${max} years before the end`,
  period_too_full: ({ max, resource }) =>
    `must begin a shorter period: this one has more than ${formatCount(max)} ${resources[resource][1]}`,
  too_many_buckets: ({ max }) => `must be longer: the period has more than ${formatCount(max)} of these steps`,
  no_period_before: "is not possible, because there is no period before this one",
  not_a_time_zone: "must be the name of a time zone, such as Europe/Berlin",
  too_many_selected: ({ max, resource }) =>
    `selects more than ${formatCount(max)} ${resources[resource][1]}; select fewer`,
  too_many_left_out: ({ max }) => `must leave out fewer links: at most ${formatCount(max)} are possible`,
  all_left_out: "leaves out everything",

  // Destinations, hosts, addresses
  not_http: "must begin with http:// or https://",
  not_https: "must be a URL that begins with https://",
  not_a_url: "must be a complete URL, such as https://example.com/page",
  not_an_image_url: ({ max }) => `must be the https URL of an image, with a host name and at most ${characters(max)}`,
  not_an_app_url: "must be a complete address, such as acme://spring",
  refused_scheme:
    "must begin with https:// or the scheme of an app, such as acme:; schemes that open a browser, pay, or are handled by the system itself (javascript:, intent:, tel:, upi: and others) are refused",
  not_a_short_url: "must be a short URL with a host and a slug, such as go.example/spring",
  too_long_with_utm: ({ max }) => `must leave the URL at most ${characters(max)}`,
  has_credentials: "must not contain a user name or password; remove the part up to the @",
  no_host: "must have a host after the //, such as https://example.com/page",
  wrong_host: ({ value }) => `must have a valid host; ${value} is none`,
  wrong_host_end: "must have a host that ends in a letter or is an IPv4 address",
  wrong_host_characters: "must have a host of letters, digits, hyphens, underscores and dots",
  empty_host_label: "must not have a host with two dots in a row or with a dot at its beginning",
  hyphen_at_label_end: "must not have a host with a hyphen at the beginning or the end of a part between dots",
  host_label_too_long: ({ max }) => `must not have more than ${characters(max)} between two dots of the host`,
  host_too_long: ({ max }) => `must not have a host of more than ${characters(max)}`,
  wrong_punycode: "must have a valid international host; what comes after xn-- cannot be read",
  wrong_port: "must have a port from 1 to 65535",
  refused_port: ({ value }) => `must not have the port ${value}, which browsers refuse`,
  refused_outbound_port: ({ min }) => `must use port 80, 443 or one from ${min} to 65535`,
  unreachable_host: ({ value, address }) =>
    `must have a host that a browser can reach; ${value} is the address ${address}`,
  unusual_ip_address: ({ suggestion }) => `must have the IPv4 address in its usual form, ${suggestion}`,
  private_host: "must be on a public host, not on a private or internal one",
  leads_back: "must not lead back to this service",
  leads_to_domain: "must not lead to a domain of this service",
  blocked: ({ reason }) => `leads to a host or page that this service blocks${inBrackets(blockReasons, reason)}`,
  too_many_nested_urls: ({ max }) => `must not carry so many other URLs; at most ${formatCount(max)} are possible`,
  not_a_host: "must be a host name without anything else, such as example.com; it includes its subdomains",
  not_a_host_or_url: "must be a host such as evil.example, or a complete URL",
  not_a_host_name: "is not a valid host name",
  not_only_a_host: ({ suggestion = "go.acme.com" }) => `must be only the name of a host: ${suggestion}`,
  wildcard: "must be a single name; wildcards are not possible",
  ip_address: "must be a name, not an IP address",
  wrong_host_labels:
    "must have parts of letters, digits and hyphens with a dot between them, and no part may begin or end with a hyphen",
  too_few_labels: "must have at least two parts, such as go.acme.com",
  special_name: "has a top-level domain that no public host has",
  public_suffix: "is a public suffix, under which anyone can register names",
  own_host: "is the service's own host or a subdomain of it",
  above_own_host: "is a parent domain of the service's own host",
  like_own_host: "looks like the service's own host",
  anonymous_host: "is the host of links that are made without an account",
  shared_host: "is a host at which many people have pages of their own; take down the subdomain or the links",
  not_an_email: "must be an e-mail address, such as ann@example.com",
  email_not_ascii: "must be in ASCII; an international domain is written in Punycode (xn--…)",
  email_not_punycode: ({ suggestion }) => `must have its international domain in Punycode: ${suggestion}`,

  // Links
  wrong_slug: ({ max }) =>
    `must be 1 to ${formatCount(max)} letters, digits, - or _. A custom domain can permit single slashes between them`,
  reserved: "is reserved for the service",
  nested_slugs_off:
    "has a slash, which needs a custom domain that permits slashes in slugs. Permit them in the settings of the domain, or choose a slug without a slash",
  not_an_alias: "can only name former slugs of the link",
  dots_only: "must not be . or .., which cannot be part of a URL",
  too_many_tags: ({ max }) => `would give the link more than ${formatCount(max)} tags`,
  also_in: ({ field }) => `must not have a value that “${field}” has too`,
  no_condition: "needs at least one condition",
  not_a_country: "must be a country (ISO 3166-1), such as DE or GB",
  not_a_region: "must be a region (ISO 3166-2), such as US-CA",
  not_a_language: "must be a language (BCP 47), such as de or pt-BR",
  repeated_country: "must name each country once",
  everybody: "must be less than 100; leave it out for all visitors",
  on_together: ({ field }) => `cannot be on together with “${field}”. Turn that off first`,

  // QR codes
  not_a_colour: "must be #rgb or #rrggbb",
  not_darker: ({ value }) =>
    `must be darker than the background ${value}: many scanners cannot read a light code on a dark background`,
  low_contrast: ({ value, actual, min }) =>
    `has too little contrast with the background ${value}: ${actual} to 1, and scanners need ${min} to 1`,
  as_bright: ({ value }) =>
    `is about as bright as the background ${value}: many scanners see no colours, so take a darker colour or a brighter background for this style`,
  content_too_long: ({ level }) => `is too long for a code of level ${level}; shorten it, or take a lower level`,
  too_long_for_style:
    "is too long for this style; take a shorter content, a lower level, or square dots and corners without a frame",
  code_too_small: ({ min }) => `must be at least ${formatCount(min)} here, so that scanners can read the code`,
  low_level: "must be Q or H with a logo, because the logo covers a part of the code",
  logo_too_large: ({ max, level }) => `must be at most ${formatCount(max)} with level ${level}, which corrects no more`,
  small_margin: ({ min }) =>
    `must be at least ${formatCount(min)} with a frame, which scanners would take for a part of the code`,
  unknown_letters: ({ value }) =>
    `can have the Latin letters of European languages, digits and punctuation, and not ${value}`,
  not_an_image: "must be a PNG or JPEG image",
  other_image: ({ value }) => `is named as an image of the kind ${value}, but is one of another kind`,
  cut_image: ({ value }) => `is not a whole ${value}`,
  too_many_pixels: ({ max }) =>
    `has too many pixels for a PNG or PDF: make it at most ${formatCount(max)} by ${formatCount(max)}`,
  interlaced_image: "is an interlaced PNG, which only an SVG can show: save it without interlacing",
  cannot_unpack: "cannot be unpacked: save it as another PNG",

  // Rows of imports
  wrong_cell_count: ({ actual, max }) =>
    `has ${formatCount(actual)} cells, but the file has ${formatCount(max)} columns`,
  open_quote: "has a quotation mark that takes in rows below. Close it, or double it if it is a character",
  repeated_cell_name: ({ value }) => `has ${value} more than once. Give each name once`,
  unknown_word: ({ value }) => `has the word ${value}, which is neither yes nor no. Write true or false`,
  home_page: "is that of the domain itself. Set its destination in the settings of the domain",
  no_column: "is no column of the file",
  mapped_twice: ({ field }) => `must not be “${field}”, which another column is`,

  // Accounts and persons
  not_the_name: ({ value }) => `must be the account's name: ${value}`,
  retention_out_of_range: ({ min, max }) => `must be from ${formatCount(min)} to ${formatCount(max)} on this service`,
  common_password: "is one of the commonest passwords; choose another one",
  guessable_password: "is made of your name, your address, or words of this service; add other words",
  breached_password: "is known from a breach of another service; choose another one",
  other_browser: "is required, because this is not the browser of the sign-up",
  wrong_setup_code: "is not the setup code of this installation",
  ended_setup_code:
    "no longer works: it was used, or is older than 7 days. Make another one with npm run account -- setup-code --remote",
  wrong_origin: ({ expected }: { expected: string }) => `must be ${expected}, the address of this page`,
  unclaimable_origin: "must begin with https:, and be neither a preview address nor a custom domain",
  wrong_code: "is wrong; check the clock of the device, and try the next code",
  same_email: "is your address already",
  refused_email: "must be in a domain that this service accepts",
  not_the_invited: "must be the address that was invited",
  dead_token: "does not work: it was used, has expired or was replaced; ask for a new mail",
  not_enough: "is not enough here",
  yourself: "is you; name another member",
} satisfies FieldFaultTexts;
