import { buildRequest, send, type CallOptions } from "../../../support/api.ts";

export const REPORT = { reason: "phishing", details: "It asks for a password.", goodFaith: "yes" };

/** Sends the form as a browser does that shows it. */
export function sendForm(
  fields: Record<string, string>,
  options: CallOptions = {},
  bindings: Partial<Env> = {},
): Promise<Response> {
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    Origin: "https://tern.test",
    Accept: "text/html",
    ...options.headers,
  };
  const request = buildRequest("POST", "/abuse", { ...options, headers, body: new URLSearchParams(fields).toString() });
  return send(request, bindings);
}

/** Reports a link, and returns the path of the receipt. */
export async function report(url: string, fields: Record<string, string> = {}): Promise<string> {
  const response = await sendForm({ ...REPORT, url, ...fields });
  if (response.status !== 303) throw new Error(`${response.status}: ${await response.text()}`);
  return response.headers.get("Location") ?? "";
}
