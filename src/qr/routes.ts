import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../access/guards/api-guards.ts";
import { route } from "../access/guards/route.ts";
import type { Context } from "hono";
import type { AuthEnv } from "../platform/auth/principal.ts";
import { isUnchanged } from "../platform/http/etag.ts";
import { preferredType } from "../platform/lib/accept.ts";
import { sha256Hex } from "../platform/lib/hash.ts";
import { QR_PARAMETER } from "../platform/lib/qr-parameter.ts";
import { getLinkRow } from "../links/get-link.ts";
import { toLink } from "../links/store/row.ts";
import { toFileName } from "../platform/lib/slug.ts";
import { makeCode } from "./code.ts";
import * as contract from "./contract.ts";
import { getDomainStyle, setDomainStyle, withDomainStyle } from "./domain-style.ts";
import * as styles from "./domain-style-contract.ts";
import { drawFor, IMAGE_TYPES } from "./image.ts";

/** Part of every ETag. Increase it when a change of the code changes the images. */
const DRAWING_VERSION = 1;

const SVG_POLICY =
  "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const getLinkQrCode: RouteHandler<typeof contract.getLinkQrCode, AuthEnv> = async (c) => {
  const context = c.get("context");
  const row = await getLinkRow(context, c.req.valid("param").id);
  const { shortUrl, slug } = toLink(row, context.baseUrl, context.now);
  const { domainStyle, ...given } = c.req.valid("query");
  const options = domainStyle === "false" ? given : await withDomainStyle(context.db, row, given);
  return drawCode(c, `${shortUrl}?${QR_PARAMETER}`, options, toFileName(slug));
};

const makeQrCode: RouteHandler<typeof contract.makeQrCode, AuthEnv> = async (c) => {
  const { content, ...options } = c.req.valid("json");
  return drawCode(c, content, options, "qr-code");
};

/** `fileName` has no extension, and no characters that need quoting. */
async function drawCode(
  c: Context<AuthEnv>,
  content: string,
  options: contract.QrOptions,
  fileName: string,
): Promise<Response> {
  const format = options.format ?? acceptedFormat(c.req.header("Accept"));
  const download = options.download === true;
  const code = makeCode(content, options, format);
  if (options.format === undefined) c.header("Vary", "Accept");
  // Also with a 304, whose headers replace those of the copy in the browser.
  if (format === "svg") c.header("Content-Security-Policy", SVG_POLICY);
  const identity = JSON.stringify([DRAWING_VERSION, content, format, download, code.style]);
  if (isUnchanged(c, await sha256Hex(identity))) return c.body(null, 304);

  if (download) c.header("Content-Disposition", `attachment; filename="${fileName}.${format}"`);
  return c.body(await drawFor(c.get("context"), code, format), 200, { "Content-Type": IMAGE_TYPES[format] });
}

/** A header that accepts no format is not an error, because many clients send a header by default. */
function acceptedFormat(header: string | undefined): contract.Format {
  const preferred = preferredType(header, Object.values(IMAGE_TYPES));
  return contract.FORMATS.find((format) => IMAGE_TYPES[format] === preferred) ?? "svg";
}

const getDomainQrStyle: RouteHandler<typeof styles.getDomainQrStyle, AuthEnv> = async (c) =>
  c.json({ qrStyle: await getDomainStyle(c.get("context"), c.req.valid("param").id) }, 200);

const setDomainQrStyle: RouteHandler<typeof styles.setDomainQrStyle, AuthEnv> = async (c) => {
  const { qrStyle } = c.req.valid("json");
  await setDomainStyle(c.get("context"), c.req.valid("param").id, qrStyle);
  return c.json({ qrStyle }, 200);
};

export const ROUTES = [
  route(contract.getLinkQrCode, requireKey("links:read"), 60, getLinkQrCode),
  route(contract.makeQrCode, requireKey(), 60, makeQrCode),
  route(styles.getDomainQrStyle, requireKey("domains:read"), 60, getDomainQrStyle),
  route(styles.setDomainQrStyle, requireKey("domains:write"), 20, setDomainQrStyle),
];
