import { createJobContext } from "../../../platform/context.ts";
import { isSameSite } from "../../../platform/http/origin.ts";
import { sign } from "../../../platform/lib/hmac.ts";
import { describeError, log } from "../../../platform/lib/log.ts";
import { readLimited } from "../../../platform/lib/read-limited.ts";
import { newId } from "../../../platform/lib/uuid.ts";
import { clientName, routedNetworkName } from "../../../platform/rate-limit/client-address.ts";
import { checkRateLimit } from "../../../platform/rate-limit/rate-limit.ts";
import { peekLink } from "../../../redirect/lookup/peek-link.ts";
import { errorPage } from "../../../redirect/pages/error-page.ts";
import { failedLookupPage } from "../../../redirect/pages/failed-lookup.ts";
import { PRIVATE_HEADERS } from "../../../redirect/pages/page.ts";
import type { IncomingRequest } from "../../../redirect/request-url.ts";
import { unpackVerdict } from "../../../redirect/verdict.ts";
import { readFields, validate, type ReportForm } from "./form.ts";
import { EMPTY_FORM, reportFormPage } from "./form-page.ts";
import { MAX_REPORT_FORM_BYTES, REPORTS_PER_CLIENT, REPORTS_PER_NETWORK } from "./limits.ts";
import { noReportPage } from "./receipt-page.ts";
import { insertReport } from "./store.ts";
import { tellOperators } from "./tell-operators.ts";

/** Stores the report of the form and sends the browser to its receipt. */
export async function submitReport(incoming: IncomingRequest, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { request, requestId } = incoming;
  const form = await readForm(request);
  if ("error" in form) {
    if (form.error === "unsupported_media_type") return errorPage(incoming, form.error);
    return reportFormPage(incoming, EMPTY_FORM, { status: 413, failure: form.error });
  }
  const { origin } = new URL(request.url);
  // Else another site could make its visitors report a link.
  if (!isSameSite(request.headers, env.BASE_URL === "" ? origin : env.BASE_URL))
    return reportFormPage(incoming, form, { status: 403, failure: "cross_site" });
  const report = validate(form, env.BASE_URL);
  if ("errors" in report) return reportFormPage(incoming, form, { status: 400, errors: report.errors });
  const refusal = await refuseFlood(incoming, env, form);
  if (refusal !== null) return refusal;

  const now = Date.now();
  const { domain, slug } = report;
  const link = await peekLink(env, ctx, { requestId, headers: request.headers, domain, slug, now });
  if (link.outcome === "not_found") return reportFormPage(incoming, form, { status: 400, errors: { url: "no_link" } });
  if (link.outcome === "unavailable" || link.outcome === "refused") return failedLookupPage(incoming, link);
  const { id: linkId, accountId, verdict } = link.entry;
  if (unpackVerdict(verdict).state === "blocked") return noReportPage(incoming, "blocked");
  const id = newId(now);
  const shortUrl = `${domain === "" ? origin : `https://${domain}`}/${slug}`;
  const network = await sign(env.ENCRYPTION_KEYS, "network of a report", networkOf(request.headers));
  let outcome;
  try {
    outcome = await insertReport(env.DB, { ...report, id, linkId, accountId, shortUrl, network }, now);
  } catch (error) {
    log("error", "report_not_stored", { requestId, ...describeError(error) });
    return reportFormPage(incoming, form, { status: 503, failure: "unavailable" });
  }
  if (outcome === "enough") return noReportPage(incoming, "enough");
  if (outcome === "network_full" || outcome === "full")
    return reportFormPage(incoming, form, { status: 503, failure: outcome });
  log("info", "report_stored", { requestId, reportId: id, linkId, reason: report.reason });
  const mail = outcome === "stored_in_reserve" ? "reports_fill" : "reports_wait";
  ctx.waitUntil(tellOperators(createJobContext(env, ctx, now), mail));
  const headers = { ...PRIVATE_HEADERS, Location: `/abuse/${id}`, "X-Request-Id": requestId };
  return new Response(null, { status: 303, headers });
}

/** The network that a report counts for. Workers and clients without an address share one: strangers can make any number of them. */
const networkOf = (headers: Headers): string => routedNetworkName(headers) ?? "no network";

/** The response to a client or a network that sent too many reports, or null. While the limiter fails, nothing is stored. */
async function refuseFlood(incoming: IncomingRequest, env: Env, form: ReportForm): Promise<Response | null> {
  const { request, requestId } = incoming;
  const limits = [
    { name: clientName(request.headers), limit: REPORTS_PER_CLIENT },
    { name: networkOf(request.headers), limit: REPORTS_PER_NETWORK },
  ];
  for (const limit of limits) {
    const status = await checkRateLimit(env, { requestId, operation: "POST /abuse", ...limit });
    if (status === null) return reportFormPage(incoming, form, { status: 503, failure: "unavailable" });
    const { allowed, waitSeconds } = status;
    if (!allowed) return reportFormPage(incoming, form, { status: 429, failure: "rate_limited", waitSeconds });
  }
  return null;
}

async function readForm(
  request: Request,
): Promise<ReportForm | { error: "unsupported_media_type" | "payload_too_large" }> {
  const [type = ""] = (request.headers.get("Content-Type") ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") return { error: "unsupported_media_type" };
  const bytes = await readLimited(request.body, MAX_REPORT_FORM_BYTES + 1);
  if (bytes.byteLength > MAX_REPORT_FORM_BYTES) return { error: "payload_too_large" };
  return readFields(new URLSearchParams(new TextDecoder().decode(bytes)));
}
