import { createRoute, z } from "@hono/zod-openapi";
import { hasChange } from "../../platform/http/validation.ts";
import { AppleAppSiteAssociation, AssetLinks } from "../app-association.ts";
import { json, jsonBody, operation, preconditionResponse } from "../../platform/http/contract.ts";
import { because } from "../../platform/http/faults.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { eTagHeader, ifMatchHeaders } from "../../platform/http/if-match.ts";
import { settings } from "../../links/fields.ts";

const LinkDeepLinks = z
  .object({
    linkId: Id.openapi({ description: "The id of the link." }),
    ios: z.string().nullable().openapi({ format: "iri", description: "The destination on iPhones and iPads." }),
    android: z.string().nullable().openapi({ format: "iri", description: "The destination on Android." }),
  })
  .openapi("LinkDeepLinks", {
    description: "The destinations of a link in apps.",
    example: { linkId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", ios: "acme://spring", android: "acme://spring" },
  });

const DomainDeepLinks = z
  .object({
    domainId: Id.openapi({ description: "The id of the domain." }),
    domain: z.string().openapi({ description: "The name of the domain." }),
    appleAppSiteAssociation: AppleAppSiteAssociation.nullable(),
    assetLinks: AssetLinks.nullable(),
  })
  .openapi("DomainDeepLinks", {
    description: "The app association files of a domain.",
    example: {
      domainId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      domain: "go.acme.com",
      appleAppSiteAssociation: { webcredentials: { apps: ["ABCDE12345.com.example.app"] } },
      assetLinks: null,
    },
  });
export type DomainDeepLinks = z.infer<typeof DomainDeepLinks>;

const UpdateLinkDeepLinks = z
  .strictObject({ ios: settings.ios, android: settings.android })
  .refine(hasChange, because("nothing_given", { allowed: ["ios", "android"] }))
  .openapi("UpdateLinkDeepLinks", {
    description: "The changed destinations; null clears one.",
    minProperties: 1,
    example: { ios: "acme://spring", android: null },
  });

const UpdateDomainDeepLinks = z
  .strictObject({
    appleAppSiteAssociation: AppleAppSiteAssociation.nullish(),
    assetLinks: AssetLinks.nullish(),
  })
  .refine(hasChange, because("nothing_given", { allowed: ["appleAppSiteAssociation", "assetLinks"] }))
  .openapi("UpdateDomainDeepLinks", {
    description: "The changed files; null removes one.",
    minProperties: 1,
    example: {
      appleAppSiteAssociation: { webcredentials: { apps: ["ABCDE12345.com.example.app"] } },
      assetLinks: null,
    },
  });

const linkParams = idParams("link");
const domainParams = idParams("domain");

// Routes

const ofLink = {
  200: {
    ...json(z.object({ deepLinks: LinkDeepLinks }), "The destinations of the link for iOS and Android."),
    ...eTagHeader,
  },
};
const ofDomain = { 200: json(z.object({ deepLinks: DomainDeepLinks }), "The app association files of the domain.") };

export const getLinkDeepLinks = createRoute({
  ...operation("get", "/api/deep-links/links/{id}", "Deep links", "Get link deep links"),
  request: { params: linkParams },
  responses: ofLink,
});

export const updateLinkDeepLinks = createRoute({
  ...operation("patch", "/api/deep-links/links/{id}", "Deep links", "Update link deep links"),
  description: "Equals an update of `ios` and `android` of the link; null clears a field.",
  request: { params: linkParams, ...jsonBody(UpdateLinkDeepLinks), headers: ifMatchHeaders },
  responses: { ...ofLink, ...preconditionResponse },
});

export const getDomainDeepLinks = createRoute({
  ...operation("get", "/api/deep-links/domains/{id}", "Deep links", "Get domain deep links"),
  request: { params: domainParams },
  responses: ofDomain,
});

export const updateDomainDeepLinks = createRoute({
  ...operation("patch", "/api/deep-links/domains/{id}", "Deep links", "Update domain deep links"),
  description:
    "Sets the files that a verified domain serves at `/.well-known/apple-app-site-association` and `/.well-known/assetlinks.json`; null removes a file.",
  request: { params: domainParams, ...jsonBody(UpdateDomainDeepLinks) },
  responses: ofDomain,
});
