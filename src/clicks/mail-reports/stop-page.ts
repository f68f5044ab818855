import { preferredLanguage } from "../../redirect/pages/language.ts";
import { pageResponse, PRIVATE_HEADERS } from "../../redirect/pages/page.ts";

/** The page of the URL in a mail that stops a report. The form goes to the page's own URL, which has the token. */
export async function stopPage(
  request: Request,
  requestId: string,
  state: "ask" | "stopped" | "broken",
): Promise<Response> {
  const language = preferredLanguage(request.headers.get("Accept-Language"));
  const { [language]: texts } = (await import("./stop-texts.ts")).STOP_TEXTS;
  const { title, text } = texts[state];
  const hasForm = state === "ask";
  const form = hasForm ? `<form method="post"><button>${texts.ask.stop}</button></form>` : "";
  const page = { language, title, html: `<p>${text}</p>${form}`, hasForm };
  return pageResponse({ request, requestId }, page, state === "broken" ? 400 : 200, PRIVATE_HEADERS);
}
