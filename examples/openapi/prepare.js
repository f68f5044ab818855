// Prepares the OpenAPI document for generators of clients that fail at parts which no client with an API key needs:
//   curl -s https://go.example/api/openapi.json | node prepare.js > client.json
// It leaves out the operations of the dashboard, which need the cookie of a browser, and the properties whose names are
// no words, such as "/".
import { text } from "node:stream/consumers";

const document = JSON.parse(await text(process.stdin));

const ofPages = ({ description = "" }) => description.endsWith("Only for pages of this service.");
const hidden = new Set(document.tags.filter(ofPages).map(({ name }) => name));
document.tags = document.tags.filter((tag) => !ofPages(tag));

for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, { security = [], tags = [] }] of Object.entries(operations)) {
    const isOpen = security.length === 0 || security.some((scheme) => !("session" in scheme));
    if (isOpen && !tags.some((tag) => hidden.has(tag)))
      operations[method].security = security.filter((scheme) => !("session" in scheme));
    else delete operations[method];
  }
  if (Object.keys(operations).length === 0) delete document.paths[path];
}
delete document.components.securitySchemes.session;

for (const schema of Object.values(document.components.schemas)) {
  for (const name of Object.keys(schema.properties ?? {})) if (!/^\w+$/.test(name)) delete schema.properties[name];
}

console.log(JSON.stringify(document));
