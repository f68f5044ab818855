import "./sdk-types/compiler.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { documents } from "../../src/app.ts";
import { sdkSchemas, type Document } from "./sdk-types/schemas.ts";

// Writes the types of the SDK, made of the OpenAPI document, before the package is compiled.

const FOLDER = new URL("../../packages/sdk/src/generated/", import.meta.url);

const document = documents.ofApi("https://go.example") as Document;
// After the compiler is in place.
const { writeTypes } = await import("./sdk-types/write-types.ts");
const types = await writeTypes(sdkSchemas(document));
mkdirSync(FOLDER, { recursive: true });
writeFileSync(new URL("types.ts", FOLDER), types);
