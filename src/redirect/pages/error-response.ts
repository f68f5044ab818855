import type { errorPage } from "./error-page.ts";
import type { failedLookupPage } from "./failed-lookup.ts";

// The modules of pages are loaded on demand, because redirects need no page.

/** The response of {@link errorPage}. */
export async function errorResponse(...details: Parameters<typeof errorPage>): Promise<Response> {
  const pages = await import("./error-page.ts");
  return pages.errorPage(...details);
}

/** The response of {@link failedLookupPage}. */
export async function failedLookupResponse(...details: Parameters<typeof failedLookupPage>): Promise<Response> {
  const pages = await import("./failed-lookup.ts");
  return pages.failedLookupPage(...details);
}
