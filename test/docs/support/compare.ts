import type { Block } from "./pages.ts";

/** Values that differ in each run. Only their form is compared. */
const FORMS: [RegExp, string][] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g, "<id>"],
  [/svc_sk_live_[0-9a-f]{64}/g, "<key>"],
  [/whsec_[\w+/]{43}=/g, "<secret>"],
  [/whsec_[\w+/]{2}\*{42}/g, "<masked secret>"],
  [/tern-verification=[0-9a-f]{32}/g, "<token>"],
  [/#token=[\w-]{43}/g, "#token=<token>"],
  [/share_[\w-]{43}/g, "share_<token>"],
  [/link_permission=\d{13}\.[\w+/=]+/g, "<cookie>"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "https://example.com"],
  [/(?<=^|localhost:8787\/)[2-9b-df-hj-km-np-tv-z]{7}$/g, "<slug>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>"],
];

/** The same, for values with these names. */
const NAMED_FORMS: Record<string, RegExp> = {
  nextCursor: /^[\w-]{10,}$/,
  cursor: /^\d+$/,
  next: /^\d+$/,
  "X-Service-Signature": /^t=\d{10},v1=[0-9a-f]{64}$/,
  "webhook-timestamp": /^\d{10}$/,
  "webhook-signature": /^v1,[\w+/]{43}=$/,
  lastFour: /^[0-9a-f]{4}$/,
  "X-RateLimit-Remaining": /^\d+$/,
  "X-RateLimit-Reset": /^\d+$/,
};

const TIME = /At$|^(timestamp|start|end|at)$/;
/** Times up to this one are compared by their form. Later ones were set by a request and are compared exactly. */
const EXACT_AFTER = 1_800_000_000_000;
const REST = "…";

/** Returns the differences between the output and the block that shows it; none if they match. */
export function differences({ language, text }: Block, output: string): string[] {
  if (language === "json") return compare(JSON.parse(text), parse(output), "");
  if (language === "http") return compareHeaders(text, output);
  return compare(text.trim(), output.replace("\u{FEFF}", "").replaceAll("\r\n", "\n").trim(), "output");
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}

function compareHeaders(documented: string, actual: string): string[] {
  const [expected, given] = [readHead(documented), readHead(actual)];
  return [
    ...compare(expected.status, given.status, "status"),
    ...[...expected.headers].flatMap(([name, { title, value }]) =>
      compare(value, given.headers.get(name)?.value, title),
    ),
  ];
}

function readHead(text: string) {
  const [status = "", ...lines] = (text.split(/\r?\n\r?\n/)[0] ?? "").split(/\r?\n/);
  const headers = new Map(
    lines.filter(Boolean).map((line) => {
      const [title = "", value = ""] = line.split(/: (.*)/s);
      return [title.toLowerCase(), { title, value: value.trim() }];
    }),
  );
  return { status: status.trim(), headers };
}

/** Returns every value that is not as documented. `"…"` stands for more fields, or for more items of an array. */
export function compare(documented: unknown, actual: unknown, path: string): string[] {
  if (isSame(documented, actual, path.split(/[.[]/).at(-1) ?? "")) return [];
  if (Array.isArray(documented) && Array.isArray(actual)) {
    const listed = documented.filter((item) => item !== REST);
    const isWhole =
      listed.length === documented.length ? actual.length === listed.length : actual.length >= listed.length;
    if (!isWhole) return [`${path} has ${actual.length} items: ${JSON.stringify(actual)}`];
    return listed.flatMap((item, index) => compare(item, actual[index], `${path}[${index}`));
  }
  if (isObject(documented) && isObject(actual)) {
    const names = Object.keys(documented).filter((name) => name !== REST);
    const more = REST in documented ? [] : Object.keys(actual).filter((name) => !names.includes(name));
    return [
      ...more.map((name) => `${path}.${name} is not documented`),
      ...names.flatMap((name) => compare(documented[name], actual[name], `${path}.${name}`)),
    ];
  }
  return [`${path} is ${JSON.stringify(actual)}, documented as ${JSON.stringify(documented)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(documented: unknown, actual: unknown, name: string): boolean {
  if (typeof documented === "number" && typeof actual === "number") {
    if (name === "durationMs") return true;
    if (!TIME.test(name) || documented > EXACT_AFTER) return documented === actual;
    return Math.min(documented, actual) > 1_500_000_000_000;
  }
  if (typeof documented !== "string" || typeof actual !== "string") return documented === actual;
  const form = NAMED_FORMS[name];
  if (form !== undefined) return form.test(documented) && form.test(actual);
  const parts = toForm(documented).split(REST);
  return new RegExp(`^${parts.map(escape).join("[^]*")}$`).test(toForm(actual));
}

function toForm(text: string): string {
  return FORMS.reduce((formed, [pattern, name]) => formed.replaceAll(pattern, name), text);
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
