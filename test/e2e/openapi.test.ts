import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { app } from "../../src/app.ts";

// Here and not beside the other tests of the document, since the validator reads its schemas from files.
it("is a valid OpenAPI 3.1 document", async () => {
  const response = await app.request("https://tern.test/api/openapi.json", {}, { BASE_URL: "https://tern.test" });
  const document = (await response.json()) as Record<string, unknown>;
  expect(document["openapi"]).toBe("3.1.0");
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});
