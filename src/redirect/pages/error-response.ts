import type { errorPage } from "./error-page.ts";

/** The response of {@link errorPage}. Its module is loaded on demand, because redirects need no page. */
export async function errorResponse(...details: Parameters<typeof errorPage>): Promise<Response> {
  const pages = await import("./error-page.ts");
  return pages.errorPage(...details);
}
