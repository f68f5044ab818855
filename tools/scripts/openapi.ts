import { documents } from "../../src/app.ts";

// Prints the OpenAPI document of all operations, those that only the service's own pages call included.

console.log(JSON.stringify(documents.ofAll("http://localhost:8787"), null, 2));
