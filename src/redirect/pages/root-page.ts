import { loadTexts, preferredLanguage } from "./language.ts";
import { pageResponse, PRIVATE_HEADERS, type PageRequest } from "./page.ts";

/** The root of a custom domain without a root URL. */
export async function rootPage(incoming: PageRequest): Promise<Response> {
  const language = preferredLanguage(incoming.request.headers.get("Accept-Language"));
  const { title, text } = (await loadTexts(language)).root;
  return pageResponse(incoming, { language, title, html: `<p>${text}</p>` }, 200, PRIVATE_HEADERS);
}
