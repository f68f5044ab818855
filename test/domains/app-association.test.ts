import { describe, expect, it } from "vitest";
// Sets the messages of issues that have none of their own.
import "../../src/http/validation.ts";
import { AppleAppSiteAssociation, AssetLinks } from "../../src/domains/app-association.ts";
import { MAX_APP_ASSOCIATION_BYTES, MAX_APP_ASSOCIATION_DEPTH } from "../../src/domains/limits.ts";

const APP = "ABCDE12345.com.example.app";
const PRINT = Array.from({ length: 32 }, () => "0F").join(":");

type Schema = typeof AppleAppSiteAssociation | typeof AssetLinks;

/** The path and message of a file's first issue, or ''. */
function faultOf(schema: Schema, file: unknown): string {
  const [fault] = schema.safeParse(file).error?.issues ?? [];
  return fault === undefined ? "" : `${fault.path.join(".")}: ${fault.message}`;
}

const details = (...details: unknown[]) => ({ applinks: { details } });

describe("apple-app-site-association", () => {
  it.each([
    [
      "the example of Apple's documentation",
      {
        applinks: {
          details: [
            {
              appIDs: [APP, "ABCDE12345.com.example.app2"],
              components: [
                { "#": "no_universal_links", exclude: true, comment: "opens in the browser" },
                { "/": "/buy/*", comment: "any path that begins with /buy/" },
                { "/": "/help/*", "?": { articleNumber: "????" } },
                { "/": "/$(lang)/x", "?": "*", caseSensitive: false, percentEncoded: true },
              ],
              defaults: { caseSensitive: false },
            },
          ],
          defaults: { percentEncoded: true },
          substitutionVariables: { "store food": ["burrito", "pizza?"] },
        },
        webcredentials: { apps: [APP] },
        appclips: { apps: ["ABCDE12345.com.example.app.Clip"] },
        activitycontinuation: { apps: [APP] },
      },
    ],
    [
      "the format of iOS 9 to 12",
      { applinks: { apps: [], details: [{ appID: APP, paths: ["*", "/a/*", "NOT /b/", "/c?"] }] } },
    ],
    ["only webcredentials", { webcredentials: { apps: [APP] } }],
    [
      "unknown members",
      {
        applinks: {
          details: [{ appID: APP, components: [{ "/": "*", since: 20 }], priority: [1] }],
          cache: { days: 1 },
        },
        webcredentials: { apps: [APP], associatedSites: ["https://example.com"] },
        "passkeys-next": { a: null },
      },
    ],
  ])("accepts %s and keeps it unchanged", (_, file) => {
    expect(AppleAppSiteAssociation.parse(file)).toEqual(file);
  });

  it.each([
    [{}, /^: must have at least one service/],
    [[], /must be an object/],
    ["{}", /must be an object/],
    [{ applinks: [] }, /^applinks: must be an object/],
    [{ applinks: { apps: [APP], details: [] } }, /^applinks.apps: must be empty/],
    [details({}), /^applinks.details.0: must have appIDs/],
    [details({ appIDs: [] }), /^applinks.details.0.appIDs: must name at least one app/],
    [details({ appID: "com.example.app" }), /^applinks.details.0.appID: .* such as ABCDE12345.com.example.app$/],
    [details({ appID: "abcde12345.com.example" }), /ten capital letters and digits/],
    [details({ appID: `${APP}\n` }), /ten capital letters and digits/],
    [details({ appID: APP, paths: ["about"] }), /^applinks.details.0.paths.0: must be a path/],
    [details({ appID: APP, paths: "*" }), /^applinks.details.0.paths: must be an array/],
    [details({ appID: APP, components: [{ "?": 1 }] }), /^applinks.details.0.components.0.\?: must be a pattern/],
    [details({ appID: APP, components: [{ exclude: "yes" }] }), /exclude: must be true or false/],
    [{ applinks: { substitutionVariables: { "$(x)": ["a"] } } }, /must not contain \$/],
    [{ webcredentials: { apps: APP } }, /^webcredentials.apps: must be an array/],
    [{ appclips: {} }, /^appclips.apps: is required/],
  ])("refuses %j", (file, fault) => {
    expect(faultOf(AppleAppSiteAssociation, file)).toMatch(fault);
  });
});

describe("assetlinks.json", () => {
  const app = { namespace: "android_app", package_name: "com.example.app", sha256_cert_fingerprints: [PRINT] };
  const relation = ["delegate_permission/common.handle_all_urls"];

  it.each([
    ["one app", [{ relation, target: app }]],
    [
      "an app and a site",
      [
        { relation: [...relation, "delegate_permission/common.get_login_creds"], target: app },
        {
          relation: ["delegate_permission/common.get_login_creds"],
          target: { namespace: "web", site: "https://www.example.com" },
        },
        { relation, target: { namespace: "web", site: "http://example.com:8080" } },
      ],
    ],
    ["another statement list", [{ include: "https://example.com/statements.json" }]],
    [
      "Android 15's rules",
      [
        {
          relation,
          target: app,
          relation_extensions: { [relation[0] ?? ""]: { dynamic_app_link_components: [{ "/": "/a*" }] } },
        },
      ],
    ],
    ["no statements", []],
  ])("accepts %s and keeps it unchanged", (_, file) => {
    expect(AssetLinks.parse(file)).toEqual(file);
  });

  it.each([
    [{}, /must be an array/],
    [[{ relation }], /^0: must have a relation and a target/],
    [[{ target: app }], /^0: must have a relation and a target/],
    [[{ relation: [], target: app }], /^0.relation: must have at least one/],
    [[{ relation: ["handle_all_urls"], target: app }], /^0.relation.0: must be a relation/],
    [[{ relation: relation[0], target: app }], /^0.relation: must be an array/],
    [[{ relation, target: { ...app, namespace: "ios_app" } }], /^0.target.*: must have the namespace/],
    [[{ relation, target: { ...app, package_name: "app" } }], /^0.target.package_name: must be the app's package name/],
    [[{ relation, target: { ...app, sha256_cert_fingerprints: [] } }], /at least one fingerprint/],
    [
      [{ relation, target: { ...app, sha256_cert_fingerprints: [PRINT.toLowerCase()] } }],
      /fingerprints.0: .*upper-case/,
    ],
    [[{ relation, target: { ...app, sha256_cert_fingerprints: [PRINT.slice(3)] } }], /fingerprints.0: .*32 bytes/],
    [[{ relation, target: { ...app, sha256_cert_fingerprints: [PRINT.replaceAll(":", "")] } }], /colons/],
    [
      [{ relation, target: { namespace: "web", site: "https://example.com/path" } }],
      /^0.target.site: .*without a path/,
    ],
    [[{ relation, target: { namespace: "web", site: "https://example.com:443" } }], /default port/],
    [[{ relation, target: { namespace: "web", site: "ftp://example.com" } }], /must be a site/],
    [[{ relation, target: { namespace: "web", site: "example.com" } }], /must be a site/],
    [[{ include: "javascript:alert(1)" }], /^0.include: /],
    [[null], /^0: must be an object/],
  ])("refuses %j", (file, fault) => {
    expect(faultOf(AssetLinks, file)).toMatch(fault);
  });
});

describe("both files", () => {
  it("have at most 32 KiB", () => {
    const comment = (bytes: number) => ({ webcredentials: { apps: [APP] }, comment: "é".repeat(bytes / 2) });
    const own = new TextEncoder().encode(JSON.stringify(comment(0))).byteLength;
    const room = Math.floor((MAX_APP_ASSOCIATION_BYTES - own) / 2) * 2;
    expect(faultOf(AppleAppSiteAssociation, comment(room))).toBe("");
    expect(faultOf(AppleAppSiteAssociation, comment(room + 2))).toBe(
      `: must have at most ${MAX_APP_ASSOCIATION_BYTES} bytes as JSON`,
    );
    expect(faultOf(AssetLinks, [{ include: `https://example.com/${"x".repeat(MAX_APP_ASSOCIATION_BYTES)}` }])).toMatch(
      /bytes/,
    );
  });

  it("have a maximum nesting depth", () => {
    const nested = (levels: number) =>
      JSON.parse(`{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`) as unknown;
    expect(faultOf(AppleAppSiteAssociation, nested(MAX_APP_ASSOCIATION_DEPTH))).toBe("");
    for (const levels of [MAX_APP_ASSOCIATION_DEPTH + 1, 30_000])
      expect(faultOf(AppleAppSiteAssociation, nested(levels))).toMatch(/^: must not be nested deeper/);
  });
});
