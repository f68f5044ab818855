import { expect, it } from "vitest";
import { app, documents } from "../../../src/app.ts";
import { BASE_URL, call, createAccount, jsonOf } from "../../support/api.ts";
import { itWithSafety } from "../../support/safety.ts";

interface Operation {
  tags: string[];
  operationId?: string;
  security?: object[];
  responses: Record<string, { content?: Record<string, { schema: object }>; headers?: object }>;
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object>;
}

/** That of all operations, for contributors. */
const ALL = documents.ofAll(BASE_URL) as Document;

const namesIn = ({ paths }: Document): string[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );

it("is public and allows every origin", async () => {
  const response = await call("GET", "/api/openapi.json", { headers: { Origin: "https://page.example" } });
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const document = await jsonOf<Document>(response);
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toMatchObject([{ url: BASE_URL }]);
});

itWithSafety(
  "leaves out the operations that refuse API keys and callers without a session, and no others",
  async () => {
    const { paths } = await jsonOf<Document>(await call("GET", "/api/openapi.json"));
    const described = new Set(namesIn({ ...ALL, paths }));
    const left = namesIn(ALL).filter((name) => !described.has(name));
    expect(left.length).toBeGreaterThan(80);
    const { key } = await createAccount();
    for (const name of left) {
      const [method = "", path = ""] = name.split(" ");
      const target = path.replaceAll(/\{\w+\}/g, "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f");
      const { status } = await call(method, target, { key, ...(/GET|DELETE/.test(method) ? {} : { body: {} }) });
      // For everybody but operators, the paths of the console do not exist.
      expect([name, status]).toEqual([name, path.startsWith("/api/admin/") ? 404 : 401]);
    }
    for (const name of ["GET /api/account/mail-reports/stop", "GET /api/shared/{token}", "POST /api/shorten"])
      expect(described).toContain(name);
    expect([...described].filter((name) => / \/api\/(account|admin|auth|teams)\b/.test(name)).toSorted()).toEqual([
      "GET /api/account/mail-reports/stop",
      "POST /api/account/mail-reports/stop",
    ]);
  },
);

it("has no component and no tag that only operations have which it leaves out", async () => {
  const text = await (await call("GET", "/api/openapi.json")).text();
  const { paths, tags, components } = JSON.parse(text) as Document;
  const used = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap((route) => route.tags)));
  expect(tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
  const { securitySchemes, ...others } = components;
  expect(Object.keys(securitySchemes ?? {})).toEqual(["apiKey", "session", "app"]);
  for (const [kind, members] of Object.entries(others))
    for (const name of Object.keys(members)) expect(text).toContain(`"#/components/${kind}/${name}"`);
  expect(Object.keys(ALL.components["schemas"] ?? {}).length).toBeGreaterThan(
    Object.keys(components["schemas"] ?? {}).length,
  );
});

it("describes every route of the app and no others", () => {
  const described = namesIn(ALL);
  const routes = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  const unique = new Set(routes);
  unique.delete("GET /api/openapi.json");
  // Served outside the app.
  for (const route of ["GET /{slug}", "GET /{slug}+", "POST /{slug}"]) unique.add(route);
  expect(described.toSorted()).toEqual([...unique].toSorted());
});

it("lists the tags of its routes", () => {
  const { paths, tags } = ALL;
  const used = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap((route) => route.tags)));
  expect(tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
});

it("describes the errors and the security of each route", () => {
  const { paths } = ALL;
  for (const [path, operations] of Object.entries(paths)) {
    if (!path.startsWith("/api/")) continue;
    for (const [method, operation] of Object.entries(operations)) {
      const statuses = Object.keys(operation.responses);
      const keyless = operation.security?.length === 0;
      const expected = ["400", ...(keyless ? [] : ["401", "403"]), "429", "500"];
      expect(statuses, `${method} ${path}`).toEqual(expect.arrayContaining(expected));
      if (path.includes("{")) expect(statuses).toContain("404");
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      if (!keyless) expect(operation.security).toContainEqual({ session: [] });
      if (!keyless && !/^\/api\/(account|admin|auth|teams)\b/.test(path))
        expect(operation.security).toContainEqual({ apiKey: [] });
    }
  }
});

it("describes the formats of QR codes, their headers and the 304", () => {
  const { paths } = ALL;
  const link = paths["/api/links/{id}/qr"]?.["get"]?.responses;
  const any = paths["/api/qr"]?.["post"]?.responses;
  for (const responses of [link, any]) {
    expect(Object.keys(responses?.["200"]?.content ?? {})).toEqual(["image/svg+xml", "image/png", "application/pdf"]);
    expect(Object.keys(responses?.["200"]?.headers ?? {})).toEqual(
      expect.arrayContaining(["ETag", "Content-Disposition", "X-RateLimit-Limit"]),
    );
  }
  expect([Object.keys(link ?? {}), Object.keys(any ?? {})].map((statuses) => statuses.includes("304"))).toEqual([
    true,
    false,
  ]);
});
