import { z } from "@hono/zod-openapi";
import { because } from "../platform/http/faults.ts";
import { isValidPunycode } from "../platform/lib/punycode.ts";
import { MAX_APP_ASSOCIATION_BYTES, MAX_APP_ASSOCIATION_DEPTH } from "./limits.ts";

/**
 * The files with which a domain names the apps that open its links. Documented members are validated; unknown members
 * are kept, because Apple and Google add new ones.
 */

// https://developer.apple.com/documentation/xcode/supporting-associated-domains

const AppId = z.string().regex(/^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/, because("wrong_form", { expected: "apple_app_id" }));

const AppIds = z.array(AppId).min(1);

const appIds = (description: string) => AppIds.openapi({ description });
const flag = (description: string) => z.boolean().optional().openapi({ description });
const pattern = (description: string) => z.string().optional().openapi({ description });

const apps = (description: string) =>
  z
    .looseObject({ apps: appIds("The ids of the apps.") })
    .optional()
    .openapi({ description });

const matching = {
  caseSensitive: flag("Whether patterns distinguish upper and lower case."),
  percentEncoded: flag("Whether URLs are matched percent-encoded."),
};
const defaults = z.looseObject(matching).optional().openapi({ description: "The defaults of the components." });

// With a name of its own, because generators of clients name types by their properties, and `?` gives none.
const QueryPattern = z
  .union([z.string(), z.record(z.string(), z.string())], {
    error: because("wrong_form", { expected: "apple_query" }),
  })
  .openapi("AppLinkQuery", {
    description: "The pattern of the query, or of each query parameter.",
    example: { lang: "de" },
  });

const Component = z
  .looseObject({
    "/": pattern("The pattern of the path."),
    "?": QueryPattern.optional(),
    "#": pattern("The pattern of the fragment."),
    exclude: flag("Whether matching URLs do not open the app."),
    comment: pattern("A note for people."),
    ...matching,
  })
  .openapi("AppLinkComponent", {
    description: "URLs that open the apps, or do not. All given patterns must match.",
    example: { "/": "/*", exclude: false },
  });

const Path = z.string().regex(/^(NOT )?[/*?]/, because("wrong_form", { expected: "apple_path" }));

const Detail = z
  .looseObject({
    appIDs: appIds("The ids of the apps.").optional(),
    appID: AppId.optional().openapi({ description: "The id of the app, for iOS 12 and older." }),
    components: z.array(Component).optional().openapi({ description: "The URLs that open the apps." }),
    paths: z.array(Path).optional().openapi({ description: "The paths that open the apps, for iOS 12 and older." }),
    defaults,
  })
  .refine(
    ({ appIDs, appID }) => appIDs !== undefined || appID !== undefined,
    because("nothing_given", { allowed: ["appIDs", "appID"] }),
  );

const VariableName = z.string().regex(/^[^$()]+$/, because("wrong_form", { expected: "apple_variable" }));

const AppLinks = z.looseObject({
  apps: z
    .array(z.unknown())
    .max(0, because("wrong_form", { expected: "apple_apps" }))
    .optional()
    .openapi({ description: "Always empty, for iOS 12 and older." }),
  details: z.array(Detail).optional().openapi({ description: "The apps and their URLs." }),
  defaults,
  substitutionVariables: z
    .record(VariableName, z.array(z.string()))
    .optional()
    .openapi({ description: "Values of the variables in patterns, by name." }),
});

const SERVICES = ["applinks", "webcredentials", "appclips", "activitycontinuation"];

export const AppleAppSiteAssociation = z
  .looseObject({
    applinks: AppLinks.optional().openapi({ description: "Universal links." }),
    webcredentials: apps("Apps that share passwords with the domain."),
    appclips: apps("App Clips of the domain."),
    activitycontinuation: apps("Apps that continue activities by Handoff."),
  })
  .refine((file) => Object.keys(file).length > 0, because("nothing_given", { allowed: SERVICES }))
  .superRefine(checkSize)
  .openapi("AppleAppSiteAssociation", {
    description: "The file that links Apple's apps to a domain. Other members are kept.",
    example: {
      applinks: { details: [{ appIDs: ["ABCDE12345.com.example.app"], components: [{ "/": "/*" }] }] },
      webcredentials: { apps: ["ABCDE12345.com.example.app"] },
    },
  });

// https://developers.google.com/digital-asset-links/v1/statements

const Relation = z
  .string()
  .regex(/^[a-z0-9_.-]+\/[a-z0-9_.-]+$/, because("wrong_form", { expected: "android_relation" }));

const AndroidApp = z.looseObject({
  namespace: z.literal("android_app").openapi({ description: "The target is an app." }),
  package_name: z
    .string()
    .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, because("wrong_form", { expected: "android_package" }))
    .openapi({ description: "The package name of the app." }),
  sha256_cert_fingerprints: z
    .array(
      z.string().regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/, because("wrong_form", { expected: "android_certificate" })),
    )
    .min(1)
    .openapi({ description: "The SHA-256 of the app's certificates." }),
});

function isWebUrl(text: string): boolean {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  return url !== null && isValidPunycode(url.hostname.replace(/\.$/, ""));
}

const Site = z.looseObject({
  namespace: z.literal("web").openapi({ description: "The target is a site." }),
  site: z
    .string()
    .refine(
      (site) => isWebUrl(site) && URL.parse(site)?.origin === site.toLowerCase(),
      because("wrong_form", { expected: "android_site" }),
    )
    .openapi({ description: "The origin of the site.", example: "https://www.example.com" }),
});

const StatementTarget = z.discriminatedUnion("namespace", [AndroidApp, Site]);

const Include = z
  .string()
  .refine(isWebUrl, because("wrong_form", { expected: "android_statement_list" }))
  .openapi({ example: "https://example.com/.well-known/assetlinks.json" });

const Statement = z
  .looseObject({
    relation: z.array(Relation).min(1).optional().openapi({ description: "What the target may do." }),
    target: StatementTarget.optional().openapi({ description: "The app or the site." }),
    include: Include.optional().openapi({ description: "The URL of another statement list, in place of a statement." }),
  })
  .refine(
    ({ relation, target, include }) => include !== undefined || (relation !== undefined && target !== undefined),
    because("wrong_form", { expected: "android_statement" }),
  );

export const AssetLinks = z
  .array(Statement)
  .superRefine(checkSize)
  .openapi("AssetLinks", {
    description: "The file that links Android apps to a domain. Other members are kept.",
    example: [
      {
        relation: ["delegate_permission/common.handle_all_urls"],
        target: {
          namespace: "android_app",
          package_name: "com.example.app",
          sha256_cert_fingerprints: [Array.from({ length: 32 }, () => "AB").join(":")],
        },
      },
    ],
  });

function checkSize(file: object, context: z.core.$RefinementCtx): void {
  // Depth first: JSON.stringify overflows the stack on thousands of levels.
  if (isDeeperThan(MAX_APP_ASSOCIATION_DEPTH, file)) {
    context.addIssue({
      code: "custom",
      message: because("too_deep", { max: MAX_APP_ASSOCIATION_DEPTH }),
    });
  } else if (new TextEncoder().encode(JSON.stringify(file)).byteLength > MAX_APP_ASSOCIATION_BYTES) {
    context.addIssue({ code: "custom", message: because("too_many_bytes", { max: MAX_APP_ASSOCIATION_BYTES }) });
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}
