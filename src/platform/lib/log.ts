type Field = string | number | boolean | null | undefined;

/** Matches the text in any case, with any of its characters percent-encoded, also several times. */
function encodable(text: string): string {
  return text.replaceAll(/./g, (character) => `(?:${character}|%(?:25)*${character.charCodeAt(0).toString(16)})`);
}

// The path has the token of a shared page. Clients may put keys, tokens of apps and webhook secrets into loggable places too.
const API_KEY = new RegExp(`${encodable("svc_sk_live_")}(?:\\w|%(?:25)*[0-9a-f]{2})+`, "gi");
const SHARED_PAGE_TOKEN = new RegExp(`${encodable("share_")}(?:[\\w-]|%(?:25)*[0-9a-f]{2})+`, "gi");
const WEBHOOK_SECRET = new RegExp(`${encodable("whsec_")}(?:[\\w+/=]|%(?:25)*[0-9a-f]{2})+`, "gi");
const APP_TOKEN = new RegExp(
  `${encodable("svc_")}(?:${["at_", "rt_", "code_"].map(encodable).join("|")})(?:[\\w-]|%(?:25)*[0-9a-f]{2})+`,
  "gi",
);

/** Logs one JSON object in one line. Never pass a key, a secret, a cookie or a query string. */
export function log(level: "info" | "warn" | "error", event: string, fields: Record<string, Field> = {}): void {
  console[level](
    JSON.stringify({ event, ...fields })
      .replaceAll(API_KEY, "svc_sk_live_…")
      .replaceAll(APP_TOKEN, "svc_…")
      .replaceAll(SHARED_PAGE_TOKEN, "share_…")
      .replaceAll(WEBHOOK_SECRET, "whsec_…"),
  );
}

/** Shows a line to the person who started a service on this machine. It may hold secrets, so a deployed service has none. */
export function print(line: string): void {
  console.log(line);
}

/** The name, message and stack of a thrown value, for {@link log}. */
export function describeError(error: unknown): { error: string; stack: string | undefined } {
  if (error instanceof Error) return { error: `${error.name}: ${error.message}`, stack: error.stack };
  return { error: String(error), stack: undefined };
}
