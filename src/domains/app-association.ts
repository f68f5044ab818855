import { z } from "@hono/zod-openapi";
import { MAX_APP_ASSOCIATION_BYTES, MAX_APP_ASSOCIATION_DEPTH } from "../limits.ts";

/**
 * The files with which a domain names the apps that open its links. Documented members are validated; unknown members
 * are kept, because Apple and Google add new ones.
 */

// https://developer.apple.com/documentation/xcode/supporting-associated-domains

const AppId = z
  .string()
  .regex(
    /^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/,
    "must be the app's prefix of ten capital letters and digits, a dot and its bundle id, such as ABCDE12345.com.example.app",
  );

const AppIds = z.array(AppId).min(1, "must name at least one app");

const Apps = z.looseObject({ apps: AppIds });

const matching = { caseSensitive: z.boolean().optional(), percentEncoded: z.boolean().optional() };

const Component = z.looseObject({
  "/": z.string().optional(),
  "?": z
    .union([z.string(), z.record(z.string(), z.string())], {
      error: "must be a pattern, or an object with a pattern for each query parameter",
    })
    .optional(),
  "#": z.string().optional(),
  exclude: z.boolean().optional(),
  comment: z.string().optional(),
  ...matching,
});

const Path = z.string().regex(/^(NOT )?[/*?]/, "must be a path that begins with / or *, optionally after NOT");

const Detail = z
  .looseObject({
    appIDs: AppIds.optional(),
    appID: AppId.optional(),
    components: z.array(Component).optional(),
    paths: z.array(Path).optional(),
    defaults: z.looseObject(matching).optional(),
  })
  .refine(({ appIDs, appID }) => appIDs !== undefined || appID !== undefined, "must have appIDs or appID");

const VariableName = z.string().regex(/^[^$()]+$/, "must not contain $, ( or )");

const AppLinks = z.looseObject({
  apps: z.array(z.unknown()).max(0, "must be empty; name the apps in details").optional(),
  details: z.array(Detail).optional(),
  defaults: z.looseObject(matching).optional(),
  substitutionVariables: z.record(VariableName, z.array(z.string())).optional(),
});

export const AppleAppSiteAssociation = z
  .looseObject({
    applinks: AppLinks.optional(),
    webcredentials: Apps.optional(),
    appclips: Apps.optional(),
    activitycontinuation: Apps.optional(),
  })
  .refine((file) => Object.keys(file).length > 0, "must have at least one service, such as applinks")
  .superRefine(checkSize)
  .openapi("AppleAppSiteAssociation", {
    example: {
      applinks: { details: [{ appIDs: ["ABCDE12345.com.example.app"], components: [{ "/": "/*" }] }] },
      webcredentials: { apps: ["ABCDE12345.com.example.app"] },
    },
  });

// https://developers.google.com/digital-asset-links/v1/statements

const Relation = z
  .string()
  .regex(/^[a-z0-9_.-]+\/[a-z0-9_.-]+$/, "must be a relation, such as delegate_permission/common.handle_all_urls");

const AndroidApp = z.looseObject({
  namespace: z.literal("android_app"),
  package_name: z
    .string()
    .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, "must be the app's package name, such as com.example.app"),
  sha256_cert_fingerprints: z
    .array(
      z
        .string()
        .regex(
          /^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/,
          "must be the SHA-256 of the app's certificate: 32 bytes in upper-case hexadecimal, separated by colons",
        ),
    )
    .min(1, "must have at least one fingerprint"),
});

const Site = z.looseObject({
  namespace: z.literal("web"),
  site: z
    .string()
    .refine(
      (site) => /^https?:/i.test(site) && URL.parse(site)?.origin === site.toLowerCase(),
      "must be a site without a path or a default port, such as https://www.example.com",
    ),
});

const StatementTarget = z.discriminatedUnion("namespace", [AndroidApp, Site], {
  error: "must have the namespace android_app or web",
});

const Include = z
  .string()
  .refine((url) => /^https?:/i.test(url) && URL.canParse(url), "must be the URL of another statement list");

const Statement = z
  .looseObject({
    relation: z.array(Relation).min(1, "must have at least one relation").optional(),
    target: StatementTarget.optional(),
    include: Include.optional(),
  })
  .refine(
    ({ relation, target, include }) => include !== undefined || (relation !== undefined && target !== undefined),
    "must have a relation and a target",
  );

export const AssetLinks = z
  .array(Statement)
  .superRefine(checkSize)
  .openapi("AssetLinks", {
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
      message: `must not be nested deeper than ${MAX_APP_ASSOCIATION_DEPTH} levels`,
    });
  } else if (new TextEncoder().encode(JSON.stringify(file)).byteLength > MAX_APP_ASSOCIATION_BYTES) {
    context.addIssue({ code: "custom", message: `must have at most ${MAX_APP_ASSOCIATION_BYTES} bytes as JSON` });
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}
