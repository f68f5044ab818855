import { isId } from "../../../platform/lib/uuid.ts";
import { clientName } from "../../../platform/rate-limit/client-address.ts";
import { checkRateLimit } from "../../../platform/rate-limit/rate-limit.ts";
import { errorPage } from "../../../redirect/pages/error-page.ts";
import type { IncomingRequest } from "../../../redirect/request-url.ts";
import { readFields } from "./form.ts";
import { EMPTY_FORM, reportFormPage } from "./form-page.ts";
import { RECEIPT_READS_PER_CLIENT } from "./limits.ts";
import { noReportPage, receiptPage } from "./receipt-page.ts";
import { findReceipt } from "./store.ts";
import { submitReport } from "./submit.ts";

/** `/abuse` of the service domain, the form for reports, and the receipts below it. */
export async function serveReports(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { request, url } = incoming;
  const [, id, ...rest] = url.path.replace(/\/$/, "").split("/");
  if (rest.length > 0) return errorPage(incoming, "not_found");
  const isForm = id === undefined;
  if (request.method === "POST" && isForm) return submitReport(incoming, env, ctx);
  if (request.method !== "GET" && request.method !== "HEAD")
    return errorPage(incoming, "method_not_allowed", isForm ? { headers: { Allow: "GET, HEAD, POST" } } : {});
  if (!isForm) return showReceipt(incoming, env, id.toLowerCase());
  const { url: reported } = readFields(new URLSearchParams(url.query));
  return reportFormPage(incoming, { ...EMPTY_FORM, url: reported });
}

async function showReceipt(incoming: IncomingRequest, env: Env, id: string): Promise<Response> {
  if (!isId(id)) return noReportPage(incoming, "unknown");
  const { request, requestId } = incoming;
  const status = await checkRateLimit(env, {
    requestId,
    name: clientName(request.headers),
    operation: "GET /abuse/:id",
    limit: RECEIPT_READS_PER_CLIENT,
  });
  if (status?.allowed === false)
    return errorPage(incoming, "too_many_unknown", {
      waitSeconds: status.waitSeconds,
      headers: { "Retry-After": String(status.waitSeconds) },
    });
  const receipt = await findReceipt(env.DB, id);
  return receipt === null ? noReportPage(incoming, "unknown") : receiptPage(incoming, receipt);
}
