type Field = string | number | boolean | null | undefined;

// Clients may put keys into loggable places, such as the path.
const API_KEY = /svc_sk_live_\w+/g;

/** Logs one JSON object in one line. Never pass a key, a secret, a cookie or a query string. */
export function log(level: "info" | "warn" | "error", event: string, fields: Record<string, Field> = {}): void {
  console[level](JSON.stringify({ event, ...fields }).replaceAll(API_KEY, "svc_sk_live_…"));
}

/** The name, message and stack of a thrown value, for {@link log}. */
export function describeError(error: unknown): { error: string; stack: string | undefined } {
  if (error instanceof Error) return { error: `${error.name}: ${error.message}`, stack: error.stack };
  return { error: String(error), stack: undefined };
}
