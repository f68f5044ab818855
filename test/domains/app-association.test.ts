import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/platform/http/faults.ts";
import { faultsOf } from "../../src/platform/http/validation.ts";
import { AppleAppSiteAssociation, AssetLinks } from "../../src/domains/app-association.ts";
import { MAX_APP_ASSOCIATION_BYTES, MAX_APP_ASSOCIATION_DEPTH } from "../../src/domains/limits.ts";

const APP = "ABCDE12345.com.example.app";
const PRINT = Array.from({ length: 32 }, () => "0F").join(":");

type Schema = typeof AppleAppSiteAssociation | typeof AssetLinks;

/** The first fault of a file. */
function faultOf(schema: Schema, file: unknown): Fault | undefined {
  const { error } = schema.safeParse(file);
  return error && faultsOf(error)[0];
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
    [{}, "", "nothing_given"],
    [[], "", "wrong_type"],
    ["{}", "", "wrong_type"],
    [{ applinks: [] }, "applinks", "wrong_type"],
    [{ applinks: { apps: [APP], details: [] } }, "applinks.apps", "wrong_form"],
    [details({}), "applinks.details.0", "nothing_given"],
    [details({ appIDs: [] }), "applinks.details.0.appIDs", "empty"],
    [details({ appID: "com.example.app" }), "applinks.details.0.appID", "wrong_form"],
    [details({ appID: "abcde12345.com.example" }), "applinks.details.0.appID", "wrong_form"],
    [details({ appID: `${APP}\n` }), "applinks.details.0.appID", "wrong_form"],
    [details({ appID: APP, paths: ["about"] }), "applinks.details.0.paths.0", "wrong_form"],
    [details({ appID: APP, paths: "*" }), "applinks.details.0.paths", "wrong_type"],
    [details({ appID: APP, components: [{ "?": 1 }] }), "applinks.details.0.components.0.?", "wrong_form"],
    [
      details({ appID: APP, components: [{ exclude: "yes" }] }),
      "applinks.details.0.components.0.exclude",
      "wrong_type",
    ],
    [{ applinks: { substitutionVariables: { "$(x)": ["a"] } } }, "applinks.substitutionVariables.$(x)", "wrong_form"],
    [{ webcredentials: { apps: APP } }, "webcredentials.apps", "wrong_type"],
    [{ appclips: {} }, "appclips.apps", "required"],
  ])("refuses %j", (file, path, code) => {
    expect(faultOf(AppleAppSiteAssociation, file)).toMatchObject({ path, code });
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
    [{}, "", "wrong_type"],
    [[{ relation }], "0", "wrong_form"],
    [[{ target: app }], "0", "wrong_form"],
    [[{ relation: [], target: app }], "0.relation", "empty"],
    [[{ relation: ["handle_all_urls"], target: app }], "0.relation.0", "wrong_form"],
    [[{ relation: relation[0], target: app }], "0.relation", "wrong_type"],
    [[{ relation, target: { ...app, namespace: "ios_app" } }], "0.target.namespace", "not_one_of"],
    [[{ relation, target: { ...app, package_name: "app" } }], "0.target.package_name", "wrong_form"],
    [[{ relation, target: { ...app, sha256_cert_fingerprints: [] } }], "0.target.sha256_cert_fingerprints", "empty"],
    [
      [{ relation, target: { ...app, sha256_cert_fingerprints: [PRINT.toLowerCase()] } }],
      "0.target.sha256_cert_fingerprints.0",
      "wrong_form",
    ],
    [
      [{ relation, target: { ...app, sha256_cert_fingerprints: [PRINT.slice(3)] } }],
      "0.target.sha256_cert_fingerprints.0",
      "wrong_form",
    ],
    [
      [{ relation, target: { ...app, sha256_cert_fingerprints: [PRINT.replaceAll(":", "")] } }],
      "0.target.sha256_cert_fingerprints.0",
      "wrong_form",
    ],
    [[{ relation, target: { namespace: "web", site: "https://example.com/path" } }], "0.target.site", "wrong_form"],
    [[{ relation, target: { namespace: "web", site: "https://example.com:443" } }], "0.target.site", "wrong_form"],
    [[{ relation, target: { namespace: "web", site: "ftp://example.com" } }], "0.target.site", "wrong_form"],
    [[{ relation, target: { namespace: "web", site: "example.com" } }], "0.target.site", "wrong_form"],
    [[{ include: "javascript:alert(1)" }], "0.include", "wrong_form"],
    [[null], "0", "wrong_type"],
  ])("refuses %j", (file, path, code) => {
    expect(faultOf(AssetLinks, file)).toMatchObject({ path, code });
  });
});

describe("both files", () => {
  const TOO_LARGE = { path: "", code: "too_many_bytes", max: MAX_APP_ASSOCIATION_BYTES };

  it("have at most 32 KiB", () => {
    const comment = (bytes: number) => ({ webcredentials: { apps: [APP] }, comment: "é".repeat(bytes / 2) });
    const own = new TextEncoder().encode(JSON.stringify(comment(0))).byteLength;
    const room = Math.floor((MAX_APP_ASSOCIATION_BYTES - own) / 2) * 2;
    expect(faultOf(AppleAppSiteAssociation, comment(room))).toBeUndefined();
    expect(faultOf(AppleAppSiteAssociation, comment(room + 2))).toMatchObject(TOO_LARGE);
    const include = `https://example.com/${"x".repeat(MAX_APP_ASSOCIATION_BYTES)}`;
    expect(faultOf(AssetLinks, [{ include }])).toMatchObject(TOO_LARGE);
  });

  it("have a maximum nesting depth", () => {
    const nested = (levels: number) =>
      JSON.parse(`{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`) as unknown;
    expect(faultOf(AppleAppSiteAssociation, nested(MAX_APP_ASSOCIATION_DEPTH))).toBeUndefined();
    for (const levels of [MAX_APP_ASSOCIATION_DEPTH + 1, 30_000])
      expect(faultOf(AppleAppSiteAssociation, nested(levels))).toMatchObject({
        path: "",
        code: "too_deep",
        max: MAX_APP_ASSOCIATION_DEPTH,
      });
  });
});
