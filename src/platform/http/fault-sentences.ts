/** What a fault is about: the noun of its sentence, for one and for many. */
const NOUNS = {
  abuse_report: ["report of abuse", "reports of abuse"],
  account: ["account", "accounts"],
  account_export: ["export of the account", "exports of the account"],
  alias: ["alias", "aliases"],
  app: ["connected app", "connected apps"],
  appeal: ["appeal", "appeals"],
  authenticator_app: ["authenticator app", "authenticator apps"],
  bulk_job: ["bulk job", "bulk jobs"],
  click: ["click", "clicks"],
  coloured_tag: ["coloured tag", "coloured tags"],
  creator: ["key or user", "keys or users"],
  credential: ["session or key", "sessions or keys"],
  delivery: ["delivery", "deliveries"],
  domain: ["domain", "domains"],
  entry: ["entry", "entries"],
  enrolment: ["enrolment of an authenticator app", "enrolments of authenticator apps"],
  export: ["export", "exports"],
  import: ["import", "imports"],
  invitation: ["pending invitation", "pending invitations"],
  job: ["job", "jobs"],
  key: ["API key", "API keys"],
  link: ["link", "links"],
  listener: ["listener", "listeners"],
  member: ["member", "members"],
  note: ["note", "notes"],
  passkey: ["passkey", "passkeys"],
  report: ["report by mail", "reports by mail"],
  role: ["role", "roles"],
  rule: ["rule", "rules"],
  session: ["session", "sessions"],
  shared_page: ["shared page", "shared pages"],
  shared_view: ["shared view", "shared views"],
  socket: ["WebSocket with live clicks of the account", "WebSockets with live clicks of the account"],
  socket_of_credential: [
    "WebSocket with live clicks of this key or session",
    "WebSockets with live clicks of this key or session",
  ],
  tag: ["tag", "tags"],
  takedown: ["takedown", "takedowns"],
  team: ["team", "teams"],
  utm_template: ["UTM template", "UTM templates"],
  verified_domain: ["verified domain", "verified domains"],
  view: ["saved view", "saved views"],
  webhook: ["webhook", "webhooks"],
} as const;

export type Resource = keyof typeof NOUNS;

/** The noun with its article. */
const a = (resource: Resource) => `${/^(?!UTM)[aeio]/i.test(NOUNS[resource][0]) ? "an" : "a"} ${NOUNS[resource][0]}`;

/** A number with its noun. */
const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const characters = (count: number) => counted(count, "character");
const items = (count: number) => counted(count, "item");
const bytes = (count: number) => counted(count, "byte");
const links = (count: number) => counted(count, "link");
const levels = (count: number) => counted(count, "level");
const things = (count: number, resource: Resource) => `${count} ${NOUNS[resource][count === 1 ? 0 : 1]}`;

/** "There is 1 link", "There are 2 links". */
const thereAre = (count: number, resource: Resource) =>
  `There ${count === 1 ? "is" : "are"} ${things(count, resource)}`;

export const RESOURCES = Object.keys(NOUNS) as [Resource, ...Resource[]];

/** What the sentence adds for those who look for something that is not there. */
const WHERE_TO_LOOK: Partial<Record<Resource, string>> = {
  account_export: " It may have expired.",
  app: " It was never connected, or has been disconnected.",
  bulk_job: " It may have expired.",
  enrolment: " Begin with POST /api/auth/mfa/totp.",
  delivery: " Of the delivered clicks, only the newest are listed, and their bodies are not kept.",
  export: " It may have expired.",
  import: " It may have expired.",
  listener: " One that is not polled for an hour is deleted. Create another.",
  tag: " No link of the account has it.",
  view: " It is none of yours, and none that the members share.",
};

/** How one makes room for another one, where "Remove" is not the word. */
const HOW_TO_REMOVE: Partial<Record<Resource, string>> = {
  app: "Disconnect one first.",
  domain: "Delete one first.",
  key: "Revoke one first.",
  listener: "Delete one first, or wait until one has not been polled for an hour.",
  report: "End one first.",
};

const CLOSE_ONE = "Close one of them first.";
const HOW_TO_END: Partial<Record<Resource, string>> = { socket: CLOSE_ONE, socket_of_credential: CLOSE_ONE };

const TYPES = {
  array: "an array",
  boolean: "true or false",
  number: "a number",
  object: "an object",
  string: "a string",
};

type JsonType = keyof typeof TYPES;

export const isJsonType = (type: string): type is JsonType => Object.hasOwn(TYPES, type);

interface Max {
  max: number;
}
interface Min {
  min: number;
}
interface Field {
  field: string;
}
interface Value {
  value: string;
}
interface Allowed {
  allowed: readonly (string | number)[];
}
interface About {
  resource: Resource;
}

/** The forms that a text can have to have. */
const FORMS = {
  android_certificate: "the SHA-256 of the app's certificate: 32 bytes in upper-case hexadecimal, separated by colons",
  android_package: "the app's package name, such as com.example.app",
  android_relation: "a relation, such as delegate_permission/common.handle_all_urls",
  android_site: "a site without a path or a default port, such as https://www.example.com",
  android_statement: "a statement with a relation and a target",
  android_statement_list: "the URL of another statement list",
  apple_app_id:
    "the app's prefix of ten capital letters and digits, a dot and its bundle id, such as ABCDE12345.com.example.app",
  apple_apps: "empty; name the apps in details",
  apple_path: "a path that begins with / or *, optionally after NOT",
  apple_query: "a pattern, or an object with a pattern for each query parameter",
  apple_variable: "a name without $, ( and )",
  audit_action: "an action or kind of the audit log, such as key.create or key",
  base64url: "base64url without padding",
  country: "a country (ISO 3166-1), such as DE or GB, T1 for Tor, or unknown",
  etags: '* or a list of ETags in double quotes, such as "1790000000000"',
  target: "the id of a rule, or one of these",
  visible_ascii: "visible characters of ASCII",
};

export type Form = keyof typeof FORMS;

/** Where a text stops being JSON. */
const JSON_FAULTS = {
  after_end: "nothing may follow the value",
  bad_escape: String.raw`a backslash in a text must be written \\`,
  comma_too_many: "the comma before the closing bracket is one too many",
  control_character: String.raw`a line break or another control character in a text must be escaped, such as \n`,
  ends_early: "the body ends too early",
  no_colon: "there must be a colon",
  no_comma: "there must be a comma or the closing bracket",
  no_name: "there must be a name",
  no_quotes: "texts and names are in double quotes",
  no_value: "there must be a value",
  not_a_value: "this is not a JSON value",
  open_text: "the closing quote of this text is missing",
};

export type JsonProblem = keyof typeof JSON_FAULTS;

/** What is counted in a QR code. */
const UNITS = {
  digits: "digits",
  alphanumeric: "upper-case letters and digits",
  bytes: "bytes of UTF-8",
};

/** What can be wrong with a field. The sentence continues the name of the field: "url" and "is required". */
export const FIELD_FAULTS = {
  // Presence, types, sizes
  required: "is required",
  required_without: ({ field }: Field) => `is required without ${field}`,
  wrong_type: ({ expected, example }: { expected: JsonType; example?: string }) =>
    `must be ${TYPES[expected]}${example === undefined ? "" : `: ${example}`}`,
  none_of_types: ({ allowed }: { allowed: readonly JsonType[] }) =>
    `must be ${allowed.map((type) => TYPES[type]).join(" or ")}`,
  given_twice: "must be a single string, given once",
  repeated_name: "is given more than once. Give each name once",
  repeated: "is in the list more than once",
  unknown_field: ({ suggestion }: { suggestion?: string }) =>
    `is not known here; ${suggestion === undefined ? "remove it or correct its name" : `did you mean ${suggestion}?`}`,
  nothing_given: ({ allowed }: Partial<Allowed>) =>
    allowed === undefined ? "give at least one field" : `give at least one of ${allowed.join(", ")}`,
  not_one_given: ({ allowed }: Allowed) => `give exactly one of ${allowed.join(", ")}`,
  no_pages_in_csv: "is not for CSV, which has no pages; leave it out or use format=json",
  not_together: ({ field }: Field) => `must not be used together with ${field}`,
  needs: ({ field }: Field) => `needs ${field}`,
  needs_key: "is accepted only with an API key",
  differs: ({ field }: Field) => `must be the same as ${field}`,
  invalid: "is not valid",
  empty: "must not be empty",
  too_short: ({ min }: Min) => `must have at least ${characters(min)}`,
  too_long: ({ max }: Max) => `must have at most ${characters(max)}`,
  too_long_encoded: ({ max }: Max) => `must have at most ${characters(max)}, percent-encoding included`,
  wrong_length: ({ min, max }: Min & Max) => `must have ${min} to ${characters(max)}`,
  too_few: ({ min }: Min) => `must have at least ${items(min)}`,
  too_many: ({ max }: Max) => `must have at most ${items(max)}`,
  too_many_times: ({ max }: Max) => `must be given at most ${counted(max, "time")}`,
  too_many_bytes: ({ max, actual }: Max & { actual?: number }) =>
    `must have at most ${bytes(max)}${actual === undefined ? "" : `; this one has ${actual}`}`,
  too_deep: ({ max }: Max) => `must not be nested deeper than ${levels(max)}`,
  too_small: ({ min }: Min) => `must be at least ${min}`,
  too_large: ({ max }: Max) => `must be at most ${max}`,
  not_more_than: ({ min }: Min) => `must be more than ${min}`,
  out_of_range: ({ min, max }: Min & Max) => `must be from ${min} to ${max}`,
  not_whole: "must be a whole number",
  not_one_of: ({ allowed }: Allowed) => `must be ${allowed.length === 1 ? "" : "one of "}${allowed.join(", ")}`,
  wrong_form: ({ expected, allowed = [], max }: { expected: Form } & Partial<Allowed & Max>) =>
    `must be ${[FORMS[expected], ...allowed, ...(max === undefined ? [] : [`at most ${max}`])].join(", ")}`,
  unreadable: "must not contain line breaks or unreadable characters",
  unreadable_character: ({ value, at }: Partial<Value> & { at?: number }) =>
    `must not contain unreadable characters${value === undefined ? "" : `; remove ${value}, which is character ${at}`}`,
  has_spaces: "must not contain spaces, line breaks or unreadable characters",
  has_spaces_or_backslashes: "must not contain spaces, backslashes, line breaks or unreadable characters",

  // Things, times, periods
  not_an_id: ({ resource }: About) => `must be the id of ${a(resource)}`,
  unknown: ({ resource, value }: About & Partial<Value>) =>
    `must be ${a(resource)} of the account${value === undefined ? "" : `; ${value} is none`}`,
  not_a_cursor: "is no cursor of this list; start again without one",
  not_a_time:
    "must be a time that exists, from 1970 to 9999: an integer (Unix milliseconds), ISO 8601 with Z or an offset such as 2030-01-31T12:00Z, or a day such as 2030-01-31",
  not_milliseconds: "must be after 2001; a number is in milliseconds",
  in_the_past: "must be in the future; a number is in milliseconds",
  in_the_future: "must not lie in the future unless end is given",
  not_after: ({ field }: Field) => `must be after ${field}`,
  not_before: ({ field }: Field) => `must be before ${field}`,
  before_creation: "must be after the creation; otherwise give start too",
  period_too_long: ({ max }: Max) =>
    `must be at most ${counted(max, "year")} before the end; interval=all covers everything`,
  period_too_full: ({ max, resource }: Max & About) =>
    `must begin a shorter period: this one has more than ${things(max, resource)}`,
  too_many_buckets: ({ max }: Max) =>
    `must be longer: the period has more than ${counted(max, "bucket")} of this length`,
  no_period_before: "cannot be given with interval=all, which has no period before",
  not_a_time_zone: "must be the name of an IANA time zone, such as Europe/Berlin",
  too_many_selected: ({ max, resource }: Max & About) => `selects more than ${things(max, resource)}; select fewer`,
  too_many_left_out: ({ max }: Max) =>
    `must leave out fewer links: at most ${max} may have the tags after an exclamation mark`,
  all_left_out: "leaves out every value",
  not_left_out: "cannot be left out: name the other ones",
  empty_after_mark: "must have a value after the exclamation mark",

  // Destinations, hosts, addresses
  not_http: "must begin with http:// or https://",
  not_https: "must be a URL that begins with https://",
  not_a_url: "must be a complete URL, such as https://example.com/page",
  not_an_image_url: ({ max }: Max) =>
    `must be the https URL of an image, with a host name and at most ${characters(max)}`,
  not_an_app_url: "must be a complete address, such as acme://spring",
  refused_scheme:
    "must begin with https:// or the scheme of an app, such as acme:; schemes that open a browser, pay, or are handled by the system itself (javascript:, intent:, tel:, upi: and others) are refused",
  not_a_short_url: "must be a short URL with a host and a slug, such as go.example/spring",
  too_long_with_utm: ({ max }: Max) => `must leave the URL at most ${characters(max)}`,
  has_credentials: "must not contain a user name or password; remove the part up to the @",
  no_host: "must have a host after the //, such as https://example.com/page",
  wrong_host: ({ value }: Value) => `must have a valid host; ${value} is none`,
  wrong_host_end: "must have a host that ends in a letter or is an IPv4 address",
  wrong_host_characters: "must have a host of letters, digits, hyphens, underscores and dots",
  empty_host_label: "must not have a host with two dots in a row or with a dot at its beginning",
  hyphen_at_label_end: "must not have a host with a hyphen at the beginning or the end of a part between dots",
  host_label_too_long: ({ max }: Max) =>
    `must not have more than ${characters(max)} between two dots of the host (in Punycode)`,
  host_too_long: ({ max }: Max) => `must not have a host of more than ${characters(max)} (in Punycode)`,
  wrong_punycode: "must have a valid international host; its Punycode (xn--) cannot be decoded",
  wrong_port: "must have a port from 1 to 65535",
  refused_port: ({ value }: Value) => `must not have the port ${value}, which browsers refuse`,
  refused_outbound_port: ({ min }: Min) => `must use port 80, 443 or one from ${min} to 65535`,
  unreachable_host: ({ value, address }: Value & { address: string }) =>
    `must have a host that a browser can reach; ${value} is the address ${address}`,
  unusual_ip_address: ({ suggestion }: { suggestion: string }) =>
    `must have the IPv4 address in its usual form, ${suggestion}`,
  private_host: ({ example }: { example: string }) =>
    `must be on a public host, not on a private or internal one. ${example}`,
  leads_back: "must not lead back to this service",
  leads_to_domain: "must not lead to a domain of this service",
  blocked: ({ reason }: { reason: string }) =>
    `leads to a host or page that this service blocks (${reason.replaceAll("_", " ")})`,
  too_many_nested_urls: ({ max, maxHosts, maxDepth }: Max & { maxHosts: number; maxDepth: number }) =>
    `must not carry more than ${counted(max, "other URL")} or ${counted(maxHosts, "host")}, or URLs more than ${levels(maxDepth)} deep`,
  not_a_host: "must be a host name without anything else, such as example.com; it includes its subdomains",
  not_a_host_or_url: "must be a host such as evil.example, or a URL with its scheme",
  not_a_host_name: "is not a valid host name",
  not_only_a_host: ({ suggestion }: { suggestion?: string }) =>
    `must be only the name of a host, such as ${suggestion ?? "go.acme.com"}`,
  wildcard: "must be a single name; wildcards are not supported",
  ip_address: "must be a name, not an IP address",
  wrong_host_labels:
    "must consist of labels of letters, digits and hyphens with a dot between them, and no label may begin or end with a hyphen",
  too_few_labels: "must have at least two labels, such as go.acme.com",
  special_name: "has a top-level domain that no public host has",
  public_suffix: "is a public suffix, under which anyone can register names",
  own_host: "is the service's own host or a subdomain of it",
  above_own_host: "is a parent domain of the service's own host",
  like_own_host: "looks like the service's own host",
  anonymous_host: "is the host of links that are created without an API key",
  shared_host: "is a host at which many people have pages of their own; take down the subdomain or the links",
  not_an_email: "must be an e-mail address, such as ann@example.com",
  email_not_ascii: "must be in ASCII; an international domain is written in Punycode (xn--…)",
  email_not_punycode: ({ suggestion }: { suggestion: string }) =>
    `must have its international domain in Punycode: ${suggestion}`,

  // Links
  wrong_slug: ({ max }: Max) =>
    `must be 1 to ${max} letters, digits, - or _. A custom domain can permit single slashes between them`,
  reserved: "is reserved for the service",
  nested_slugs_off:
    "has a slash, which needs a custom domain that permits slashes in slugs. Permit them in the settings of the domain, or choose a slug without a slash. PATCH /api/domains/:id permits them with nestedSlugs",
  not_an_alias: "can only name aliases that the link has, and the slug that `slug` replaces",
  dots_only: "must not be . or .., which cannot be part of a URL",
  too_many_tags: ({ max }: Max) => `would give the link more than ${counted(max, "tag")}`,
  also_in: ({ field }: Field) => `must not have a value that ${field} has too`,
  no_condition: "needs at least one condition",
  not_a_country: "must be a country (ISO 3166-1), such as DE or GB",
  not_a_region: "must be a region (ISO 3166-2), such as US-CA",
  not_a_language: "must be a language (BCP 47), such as de or pt-BR",
  repeated_country: "must name each country once",
  everybody: "must be less than 100; leave it out for all visitors",
  on_together: ({ field }: Field) =>
    `cannot be on together with ${field}. Turn off ${field} first. Both changes can be in the body of the request`,
  no_destination_of_tag: "must not be true for a tag: only the page of a link shows a destination",

  // QR codes
  not_a_colour: "must be #rgb or #rrggbb, in hexadecimal digits (in a query, # is written %23)",
  not_darker: ({ value }: Value) =>
    `must be darker than the background ${value}: many scanners cannot read a light code on a dark background`,
  low_contrast: ({ value, actual, min }: Value & Min & { actual: number }) =>
    `has too little contrast with the background ${value}: ${actual} to 1, and scanners need ${min} to 1`,
  as_bright: ({ value }: Value) =>
    `is about as bright as the background ${value}: many scanners see no colours, so take a darker foreground or a brighter background for this style`,
  content_too_long: ({ actual, max, unit, level }: Max & { actual: number; unit: keyof typeof UNITS; level: string }) =>
    `is too long: it has ${actual} ${UNITS[unit]}, and a code of level ${level} holds ${max}`,
  too_long_for_style: ({ actual, max }: Max & { actual: number }) =>
    `is too long for this style: its code has ${counted(actual, "module")} in a row, and one with a style has at most ${max}. Take a shorter content, a lower level, or square dots and corners without a frame`,
  code_too_small: ({ min }: Min) => `must be at least ${min} here, so that scanners can read the modules of this code`,
  low_level: "must be Q or H with a logo, because the logo covers modules",
  logo_too_large: ({ max, level }: Max & { level: string }) =>
    `must be at most ${max} with level ${level}, which corrects no more`,
  small_margin: ({ min }: Min) =>
    `must be at least ${min} with a frame, which scanners would take for a part of the code`,
  unknown_letters: ({ value }: Value) =>
    `can have the Latin letters of European languages, digits and punctuation, and not ${value}`,
  only_for_pdf: "is the width of a PDF: the other formats have a size in pixels",
  not_for_pdf: "is in pixels, and a PDF has a width in millimetres",
  not_an_image:
    "must be a PNG or JPEG image as a data URI in base64, data:image/png;base64,… (in a query, + is written %2B)",
  other_image: ({ value }: Value) => `is declared as image/${value}, but its first bytes belong to another format`,
  cut_image: ({ value }: Value) => `is not a whole ${value}`,
  too_many_pixels: ({ max }: Max) => `has too many pixels for a PNG or PDF: make it at most ${max} by ${max}`,
  interlaced_image: "is an interlaced PNG, which only an SVG can show: save it without interlacing",
  cannot_unpack: "cannot be unpacked: save it as another PNG",

  // Rows of imports
  wrong_cell_count: ({ actual, max }: Max & { actual: number }) =>
    `has ${counted(actual, "cell")}, but the file has ${counted(max, "column")}`,
  open_quote: ({ actual }: { actual: number }) =>
    `has a quotation mark that takes in ${actual === 1 ? "a line that looks like a row" : `${actual} lines that look like rows`}. Close it, or double it if it is a character`,
  repeated_cell_name: ({ value }: Value) => `has ${JSON.stringify(value)} more than once. Give each name once`,
  unknown_word: ({ value }: Value) =>
    `says ${JSON.stringify(value)}, which is neither yes nor no in a language that is known. Write true or false`,
  home_page: "is that of the domain itself. Set its destination as the rootUrl of the domain",
  no_column: "is no column of the file",
  mapped_twice: ({ field }: Field) => `must not have the field ${field}, which another column has`,

  // Accounts and persons
  not_the_name: ({ value }: Value) => `must be the account's name: ${value}`,
  retention_out_of_range: ({ min, max }: Min & Max) =>
    `must be from ${min} to ${max} on this service, or null for the default`,
  common_password: "is one of the commonest passwords; choose another one",
  guessable_password: "is made of your name, your address, or words of this service; add other words",
  breached_password: "is known from a breach of another service; choose another one",
  other_browser: "is required, because this is not the browser of the sign-up",
  wrong_setup_code: "is not the setup code of this installation",
  ended_setup_code:
    "is no setup code that counts: it was used, or is older than 7 days. The operator makes another one: npm run account -- setup-code --remote",
  wrong_origin: ({ expected }: { expected: string }) => `must be ${expected}, where this request was sent`,
  unclaimable_origin: "must begin with https:, and be neither a preview URL nor a custom domain",
  wrong_code: "is wrong; check the clock of the device, and try the next code",
  same_email: "is your address already",
  refused_email: "must be in a domain that this service accepts (SIGN_UP)",
  not_the_invited: "must be the address that was invited",
  dead_token: "does not work: it was used, has expired or was replaced; ask for a new mail",
  not_enough: ({ allowed }: Allowed) => `is not enough here; send one of ${allowed.join(", ")}`,
  yourself: "is yourself; name another member",
};

/** Why a request was refused as a whole. */
export const REFUSALS = {
  // Anything
  not_found: ({ resource }: About) => `There is no such ${NOUNS[resource][0]}.${WHERE_TO_LOOK[resource] ?? ""}`,
  of_another_account: ({ resource }: About) => `This ${NOUNS[resource][0]} belongs to another account.`,
  no_such_path: ({ value, example }: Value & { example?: string }) =>
    `There is no ${value} here.${example === undefined ? "" : ` ${example}`}`,
  limit_reached: ({ resource, max }: About & Max) =>
    `${thereAre(max, resource)} already, which is the maximum. ${HOW_TO_REMOVE[resource] ?? "Remove one first."}`,
  too_many_running: ({ resource, max }: About & Max) =>
    `${thereAre(max, resource)} running, which is the maximum. ${HOW_TO_END[resource] ?? "Wait until one of them has ended."}`,
  changed_since_job: "The link was changed after the job, so it was not undone.",
  access_changed: ({ resource }: About) => `Your ${NOUNS[resource][0]} has just changed. Nothing was done.`,
  changed_meanwhile: ({ resource }: About) =>
    `Another request has just changed this ${NOUNS[resource][0]}. Nothing was done. Read it and try again.`,
  changed_since_read: ({ resource }: About) =>
    `The ${NOUNS[resource][0]} was changed since you read it. Read it again, and repeat the request with its new ETag.`,
  exists: ({ resource, value }: About & Partial<Value>) =>
    `There is such ${a(resource)} already${value === undefined ? "" : `: ${value}`}.`,
  taken: ({ field, value }: Field & Value) => `The ${field} ${value} is taken. Choose another one.`,
  wrong_state: ({ resource, value }: About & Value) =>
    `This is not possible while the ${NOUNS[resource][0]} is ${value}.`,
  decided_already: ({ resource }: About) => `The ${NOUNS[resource][0]} is decided already.`,
  lacks_permission: ({ resource, value, allowed }: About & Partial<Value> & Allowed) =>
    `${value === undefined ? `This ${NOUNS[resource][0]}` : `The role ${value}`} lacks the permission${allowed.length === 1 ? "" : "s"} ${allowed.join(" and ")}.`,
  app_lacks_scope: ({ allowed }: Allowed) =>
    `This app was connected without ${allowed.join(" and ")}. Connect it again to give it more.`,
  key_used_again: "This Idempotency-Key was used for another request. Use a new key for each new request.",

  // Too many calls: the sentence is followed by the wait
  too_many_attempts: "There were too many wrong attempts.",
  too_many_started: ({ resource, max }: About & Max) =>
    `This account started ${things(max, resource)} in the last hour, which is the maximum.`,
  too_many_uploads: ({ max }: Max) =>
    `This account uploaded ${counted(max, "file")} in the last hour, which is the maximum.`,
  csv_is_being_written: "Another CSV file of this account is being written. Only one can be written at a time.",
  too_many_viewers: "Too many people are looking at the shared pages of this account.",
  too_many_invitations: "This address has had several invitations lately.",
  too_many_mails: "This service sends too many mails at the moment. No mail was sent.",
  too_many_reset_links: ({ max }: Max) => `This person got ${max} such links in the last hour, which is the maximum.`,
  too_many_own_mails: "Your address got too many mails about such changes. Nothing was changed.",

  // What does not work at the moment
  dns_failed: ({ value }: Value) =>
    `The DNS lookup of ${value} failed. Nothing was changed. Check its name servers and try again.`,
  free_plan_used_up:
    "The Cloudflare account of this service has used up a daily limit of the plan Workers Free. It begins anew at 00:00 UTC. Workers Paid has no such limit.",
  no_mail: ({ value }: Value) =>
    `This service cannot send mails: ${value} is not set (docs/mail.md). The operator must set it up.`,
  no_base_url:
    "This service has no host yet, so nobody can sign in. Its operator claims it at /app, or deploys it with --url.",
  unclaimed: "This installation has no owner yet. Its operator claims it at /app.",

  // Bodies and queries
  body_too_large: ({ max }: Max) => `The body may have at most ${bytes(max)}, also after decompression.`,
  body_too_full: ({ max }: Max) =>
    `The body may have at most ${counted(max, "value")}: arrays, objects, strings, numbers and literals. Split it into several requests.`,
  changes_too_large: ({ max }: Max) => `The changes may have at most ${bytes(max)}.`,
  link_too_large: ({ max }: Max) => `A link may have at most ${bytes(max)}.`,
  file_too_large: ({ max }: Max) => `The file may have at most ${bytes(max)}. Split it into several files.`,
  not_json: ({ line, column, reason }: { line?: number; column?: number; reason?: JsonProblem }) =>
    `The body is not valid JSON.${reason === undefined ? "" : ` Line ${line}, column ${column}: ${JSON_FAULTS[reason]}.`}`,
  wrong_content_encoding: ({ value }: Value) =>
    `The body is not valid ${value}, but its header Content-Encoding says so.`,
  body_too_deep: ({ max }: Max) => `The body may be nested at most ${levels(max)} deep. Send it with fewer levels.`,
  cut_body: "The body did not arrive whole. Send the request again.",
  not_utf8: "The body is not valid UTF-8. Send it in UTF-8.",
  broken_query: "The query has a broken percent-encoding. Write % as %25, and other characters in UTF-8.",
  unused_header: ({ value }: Value) => `This operation does not support the header ${value}. Send it without.`,
  cut_url: "This URL is not complete. Copy it from the mail again.",
  local_only: ({ value }: Value) => `There is no ${value} here: it exists on localhost only.`,

  // Links
  slug_used_again: ({ value }: Value) =>
    `The slug ${value} was used again after the deletion, so this link cannot be restored.`,
  no_free_slug: "No free slug was found. Try again.",
  aliases_of_domain:
    'The link has aliases, which would end with its domain. Remove them in the same request with "aliases": [].',
  keeps_short_url:
    "This link was made without an account, at a host for such links. Its domain and slug cannot be changed.",
  not_a_link_id:
    "There is no such link: an id is a UUID. GET /api/links/by-url?url=… finds a link by its short URL, and GET /api/links?slug=… by its slug.",
  no_link_at_url: "There is no link with this short URL in this account.",
  too_many_aliases: ({ max }: Max) =>
    `The link has ${things(max, "alias")}, and its former slug would be one more. Remove one with "aliases" first.`,
  domain_refused: ({ value, suggestion }: Value & { suggestion?: string }) =>
    `${value} is not a verified domain of this account. ${suggestion === undefined ? "Add and verify it first." : `Give only the name of the host, such as ${suggestion}.`}`,
  too_many_links: ({ max }: Max) =>
    `The quota "links" of this account is ${links(max)}. Delete links, or ask the operator of the service for a higher quota.`,
  too_many_link_bytes: ({ max, days }: Max & { days: number }) =>
    `The quota "linkBytes" of this account is ${bytes(max)} of links. Shorten or delete links, or ask the operator of the service for a higher quota. A deleted link counts until its final deletion, ${counted(days, "day")} later.`,
  members_only:
    "This service shortens URLs only for its users. Sign in, or send an API key: Authorization: Bearer <key>.",

  // Domains
  links_use_domain: ({ value }: Value) =>
    `Links still use ${value}. Delete them first, or use ?force=true to delete them too.`,
  links_being_deleted: ({ value }: Value) =>
    `The former links of ${value} are still being deleted. Try again in a minute.`,
  case_is_set: ({ value, days }: Value & { days: number }) =>
    `caseSensitive cannot be changed at ${value}, because this account has links there, or deleted ones that can be restored. Move the links to another domain first. Deleted links no longer count after ${counted(days, "day")}.`,
  case_of_deleted_links: ({ value, expected, days }: Value & { expected: "true" | "false"; days: number }) =>
    `This account has deleted links at ${value} that can be restored, so caseSensitive must be ${expected} as before. They no longer count after ${counted(days, "day")}.`,
  has_nested_slugs: ({ value, days }: Value & { days: number }) =>
    `Slashes in slugs stay permitted at ${value}, because links there have some in their slugs or aliases, or deleted links that can be restored have. Give the links other slugs and remove such aliases, or delete the links. Deleted links no longer count after ${counted(days, "day")}.`,
  verified_elsewhere: ({ value }: Value) =>
    `Another account has verified ${value}. Verify again when that account has deleted the domain, or when its TXT record has been missing for a week.`,

  // Keys and webhooks
  expires_after_caller: "A key cannot make or widen a key that expires later than itself. Choose an earlier expiresAt.",
  key_lacks_maker:
    "The person behind this key may not create keys in this account any more. Another member has to create it.",
  no_key_sent: "This request has no API key: it was sent with a session.",
  key_of_caller:
    "The calling key is this key or one of its descendants, and would be revoked too. Nothing was revoked. Use another key, or revoke the keys one by one.",
  key_revoked: "This key was revoked, which is final. Create a new one.",
  webhook_inactive: "This webhook is inactive. Set its status to active first.",
  click_delivered: "This click was delivered. The events of delivered clicks are not kept, so it cannot be sent again.",
  delivery_dropped: "This delivery was dropped, because too many were waiting. Its event is not kept.",
  too_many_secrets: ({ max, example }: Max & { example: string }) =>
    `This webhook signs with ${counted(max, "secret")}, which is the maximum. The next rotation is possible from ${example}.`,

  // Second factors
  team_needs_factor: "This team needs a second factor. Add one to your sign-in first.",
  team_needs_proof:
    "This team needs a second factor, and this session has given none. Send one to POST /api/auth/confirm.",
  app_needs_proof: "This team needs a second factor. Connect the app again, in a session with a second factor.",
  operators_need_factor: "Operators need a second factor. Add one to your sign-in first.",
  operators_need_proof: "Operators need a second factor. Send one to POST /api/auth/confirm in this session.",
  own_factor_first: "Add a second factor to your own sign-in, or confirm with it, before you require it of others.",

  // Accounts, teams, persons
  not_a_member: "You are not a member of this account.",
  account_disabled: "The operator of this service has disabled this account.",
  deletion_has_begun: "The 7 days are over. The account is being deleted for good.",
  only_owner: ({ value }: Value) =>
    `You are the only owner of ${value}. Make another member the owner, or delete the team, and send this request again.`,
  last_owner: "A team needs an owner. Make another member the owner first. Nothing was changed.",
  role_too_low: ({ value, allowed }: Value & Allowed) =>
    `The role ${value} cannot give or take the role ${allowed.join(" or ")}.`,
  role_not_lower: ({ value }: Value) =>
    `This service sends no mails, so you would get the link, and the role ${value} gets links for lower roles only. The operator makes others with npm run account.`,
  has_more_access:
    "This person can do something that you cannot, or came here in another way than by an invitation to this team. Only the operator makes this link, with npm run account -- sign-in ADDRESS --remote.",
  mail_works: 'This service sends mails. The member gets one with a link by "Forgot password?".',
  ends_own_access: "What you made in the team ends with your role. To keep it, ask another member to make the change.",
  is_member: "A person with this address is a member already.",
  other_address: "This invitation is for another address. Sign in with the address that got the mail.",
  person_deleted: "This person's account is deleted. Name another member.",
  sign_up_closed: "Nobody can sign up here: SIGN_UP is closed.",
  already_claimed: "This installation has an owner already. Sign in.",
  has_account: "This address has an account already. Sign in with it to join the team.",
  other_person: "Another person asked for this change. Sign in as that person.",
  no_passkey: "You have no passkey. Send something else that you have, such as a code.",
  no_factor: "Recovery codes are for persons with an authenticator app or a passkey. Add one first.",
  wrong_sign_in: "The address or the password is wrong.",
  wrong_own_password: "The password is wrong.",
  wrong_second_factor: "The code is wrong or was used before. An authenticator app shows a new one every 30 seconds.",
  refused_passkey: "The passkey was not accepted: it is unknown, was removed, or did not verify the person.",
  dead_challenge: "The challenge was used, has expired or is for another session. Ask for new options.",
  invalid_passkey: "The browser's answer for the new passkey is not valid.",

  // Jobs, exports and imports
  job_not_allowed:
    "The account was deleted or disabled, or the person or API key that started it may not do this any more.",
  job_given_up: "A part of the service failed repeatedly.",
  job_given_up_undoable: "A part of the service failed repeatedly. What was done until then can be undone.",
  code_not_drawn: ({ value, reason }: Value & { reason: string }) =>
    `The QR code of ${value} cannot be drawn with this style (${reason}). Choose another style.`,
  export_too_large: ({ max }: Max) => `The file would take more than ${bytes(max)} of storage.`,
  too_many_matches: ({ max }: Max) =>
    `The filter matches more than ${links(max)}, so nothing was changed. Narrow it, for example with createdAfter.`,
  export_failed: ({ reason }: { reason?: string }) =>
    `The export failed${reason === undefined ? "" : ` (${reason})`}, so there is no file. Start another one.`,
  export_not_done: "The export is not done yet. Read its status until it is.",
  no_destination_column:
    'It is not known which column of the file has the destinations. Name it first, with PATCH and {"mapping": {"<column>": "url"}}.',
  file_is_workbook:
    'The file is a workbook, of Excel or a similar program. Save the sheet with the links as CSV (in Excel as "CSV UTF-8"), and upload that. The statistics workbook of Short.io has no links: export the links there as CSV.',
  file_is_archive: "The file is a ZIP archive. Unpack it, and upload the CSV or JSON file in it.",
  file_is_compressed: "The file is compressed. Unpack it, and upload the CSV or JSON file in it.",
  file_is_pdf:
    "The file is a PDF, from which links cannot be read safely. Export the links as CSV or JSON at the old service, and upload that.",
  file_is_web_page:
    "The file is a web page. Export the links as CSV or JSON at the old service, and upload that file. A table of a web page can be saved as CSV in a spreadsheet.",
  file_not_readable:
    'The file is neither in UTF-8 nor in UTF-16. Save it in UTF-8 (in Excel as "CSV UTF-8") and upload it again.',
  file_not_whole: "The file did not arrive whole, or is not compressed as its header says. Send it again.",
  file_empty: "The file is empty.",
  file_without_links: "The file has no links.",
  file_of_imported: "All links of this list of failures were imported.",
  file_without_header: 'The first line of the file must name its columns, such as "url,slug,title".',
  file_too_long: ({ max }: Max) => `The file has more than ${links(max)}. Split it into several files.`,
  file_too_wide: ({ max }: Max) => `The file has more than ${counted(max, "column")} or different fields.`,
  file_names_too_long: ({ max }: Max) => `The names of the columns have more than ${bytes(max)}.`,
  file_row_too_long: ({ at, max }: Max & { at: number }) =>
    `The row that begins in line ${at} has more than ${bytes(max)}. Look for a quotation mark in it that is not closed.`,
  file_open_quote: ({ at }: { at: number }) =>
    `The row that begins in line ${at} has a quotation mark that is not closed. The file may be incomplete.`,
  file_object_too_long: ({ at, max }: Max & { at: number }) => `Object ${at} of the file has more than ${bytes(max)}.`,
  file_object_too_deep: ({ at, max }: Max & { at: number }) =>
    `Object ${at} of the file is nested more than ${levels(max)} deep.`,
  file_not_json: ({ at }: { at: number }) =>
    `The file is not valid JSON. Its object ${at}, or what follows it, cannot be read.`,
  file_json_cut: ({ actual }: { actual: number }) =>
    `The file ends in the middle of its JSON, after ${counted(actual, "complete object")}.`,
  file_of_other_source: ({ value, allowed }: Value & Allowed) =>
    `This is no export of ${value}, which has the columns ${allowed.join("; or ")}. Upload it with source=auto or source=csv.`,

  // The console of operators
  screening_off: 'Screening is off. Set SCREENING = "on" and deploy again.',
  decide_with_reverse: "The takedown is reversed already. Decide the appeal with reverse.",
  takedown_reversed: "The takedown is reversed already.",
  nothing_to_take_down: ({ value }: Value) => `The link has no ${value} that can be taken down.`,
};
