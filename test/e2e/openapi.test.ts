import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { app } from "../../src/app.ts";

// Separate from the other tests of the document, because the validators need Node.

async function readDocument() {
  const response = await app.request("https://tern.test/api/openapi.json", {}, { BASE_URL: "https://tern.test" });
  return (await response.json()) as { components: { schemas: Record<string, { example?: unknown }> } };
}

it("is a valid OpenAPI 3.1 document", async () => {
  expect(await new Validator().validate({ ...(await readDocument()) })).toEqual({ valid: true });
});

it("has examples that match their schemas", async () => {
  const document = await readDocument();
  const ajv = new Ajv2020({ strict: false, formats: { uuid: true, iri: true, "iri-reference": true, password: true } });
  ajv.addSchema(document, "document");
  const examples = Object.entries(document.components.schemas).filter(([, { example }]) => example !== undefined);
  expect(examples.length).toBeGreaterThan(6);
  for (const [name, { example }] of examples) {
    const validate = ajv.getSchema(`document#/components/schemas/${name}`);
    expect(validate?.(example), `${name}: ${ajv.errorsText(validate?.errors)}`).toBe(true);
  }
});
