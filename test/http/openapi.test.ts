import { expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { BASE_URL, call, jsonOf } from "../support/api.ts";

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
}

async function readDocument(): Promise<Document> {
  return jsonOf<Document>(await call("GET", "/api/openapi.json"));
}

it("is public and allows every origin", async () => {
  const response = await call("GET", "/api/openapi.json", { headers: { Origin: "https://page.example" } });
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const document = await jsonOf<Document>(response);
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toMatchObject([{ url: BASE_URL }]);
});

it("describes every route of the app and no others", async () => {
  const { paths } = await readDocument();
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  const unique = new Set(routes);
  unique.delete("GET /api/openapi.json");
  // Served outside the app.
  for (const route of ["GET /{slug}", "GET /{slug}+", "POST /{slug}"]) unique.add(route);
  expect(described.toSorted()).toEqual([...unique].toSorted());
});

it("lists the tags of its routes", async () => {
  const { paths, tags } = await readDocument();
  const used = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap((route) => route.tags)));
  expect(tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
});

it("describes the errors and the security of each route", async () => {
  const { paths } = await readDocument();
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

it("describes the formats of QR codes, their headers and the 304", async () => {
  const { paths } = await readDocument();
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
