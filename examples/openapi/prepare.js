// Prepares the OpenAPI document for generators of clients that fail at parts which no client with an API key needs:
//   curl -s https://go.example/api/openapi.json | node prepare.js > client.json
// It leaves out the cookie of a browser, the operations for programs that show mails, and the properties whose names are no
// words, such as "/", and null in lists of values.
import { text } from "node:stream/consumers";

const document = JSON.parse(await text(process.stdin));

document.tags = document.tags.filter(({ name }) => name !== "Mails");

for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, { security = [], tags = [] }] of Object.entries(operations)) {
    if (tags.includes("Mails")) delete operations[method];
    else operations[method].security = security.filter((scheme) => !("session" in scheme));
  }
  if (Object.keys(operations).length === 0) delete document.paths[path];
}
delete document.components.securitySchemes.session;

for (const schema of Object.values(document.components.schemas)) {
  for (const name of Object.keys(schema.properties ?? {})) if (!/^\w+$/.test(name)) delete schema.properties[name];
}

// A value that may be absent has `null` in its type too, where generators understand it.
const withoutNull = (key, value) => (key === "enum" ? value.filter((each) => each !== null) : value);

console.log(JSON.stringify(document, withoutNull));
