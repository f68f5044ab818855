import { createRoute, z } from "@hono/zod-openapi";
import { json, jsonBody, operation } from "../platform/http/contract.ts";
import { idParams } from "../platform/http/id.ts";
import { hasChange } from "../platform/http/validation.ts";
import { looks } from "./contract.ts";
import { because } from "../platform/http/faults.ts";

const EXAMPLE = { foreground: "#12492b", dots: "rounded", frameText: "Scan me" } as const;

// Generators of types take a field of a component with a default for one that is required.
const NO_DEFAULT = { default: undefined };

export const QrStyle = z
  .strictObject({
    ...looks,
    foreground: looks.foreground.openapi(NO_DEFAULT),
    background: looks.background.openapi(NO_DEFAULT),
    dots: looks.dots.openapi(NO_DEFAULT),
    corners: looks.corners.openapi(NO_DEFAULT),
    logoSize: looks.logoSize.openapi(NO_DEFAULT),
    margin: looks.margin.openapi(NO_DEFAULT),
  })
  .refine(hasChange, because("nothing_given"))
  .openapi("QrStyle", {
    description: "How the QR codes of a domain's links look. Fields that are left out have their usual defaults.",
    minProperties: 1,
    example: EXAMPLE,
  });
export type QrStyle = z.infer<typeof QrStyle>;

const SetDomainQrStyle = z
  .strictObject({ qrStyle: QrStyle.nullable().openapi({ description: "The whole style; null: none." }) })
  .openapi("SetDomainQrStyle", { description: "The style of a domain.", example: { qrStyle: EXAMPLE } });

const one = z.object({
  qrStyle: QrStyle.nullable().openapi({ description: "The style of the domain; null: it has none." }),
});
const request = { params: idParams("domain") };

export const getDomainQrStyle = createRoute({
  ...operation("get", "/api/domains/{id}/qr-style", "QR codes", "Get domain QR style"),
  request,
  responses: { 200: json(one, "The style.") },
});

export const setDomainQrStyle = createRoute({
  ...operation("put", "/api/domains/{id}/qr-style", "QR codes", "Set domain QR style"),
  description: "Replaces the style. One in which phones would not read a short URL of the domain is refused.",
  request: { ...request, ...jsonBody(SetDomainQrStyle) },
  responses: { 200: json(one, "The style.") },
});
