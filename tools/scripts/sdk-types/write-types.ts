import { ts } from "@ts-morph/common";
import openApiTypes, { astToString } from "openapi-typescript";
import type { Schema } from "./schemas.ts";

/** A module with an interface for each object schema, and another type for each other one. */
export async function writeTypes(schemas: Record<string, Schema>): Promise<string> {
  const document = { openapi: "3.1.0", info: { title: "", version: "" }, paths: {}, components: { schemas } };
  const nodes = await openApiTypes(document as never, { silent: true, transform });
  const declarations = schemaMembers(nodes as unknown as ts.Node[]).map(declare);
  const text = astToString(declarations)
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, "$1")
    .replaceAll("@description ", "")
    .replaceAll(/^ *\/\*\* @enum .*\n|^ *\* @enum .*\n/gm, "");
  return `// Made of the OpenAPI document by tools/scripts/sdk-types.ts.\n\n${text}`;
}

/** Its types are those of another package with the same compiler. */
function transform({ format }: { format?: string }): never | undefined {
  return format === "date-time" ? (ts.factory.createTypeReferenceNode("Date") as never) : undefined;
}

/** The members of `components["schemas"]`. */
function schemaMembers(nodes: readonly ts.Node[]): ts.PropertySignature[] {
  for (const node of nodes) {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== "components") continue;
    const schemas = node.members.find((member) => member.name !== undefined && nameOf(member.name) === "schemas");
    if (schemas !== undefined && ts.isPropertySignature(schemas) && schemas.type && ts.isTypeLiteralNode(schemas.type))
      return schemas.type.members.filter(ts.isPropertySignature);
  }
  throw new Error("The document has no schemas.");
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : "";
}

function declare(member: ts.PropertySignature): ts.Node {
  const { factory } = ts;
  const [name, type] = [nameOf(member.name), member.type];
  if (type === undefined) throw new Error(`${name} has no type.`);
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declaration = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(modifiers, name, undefined, type);
  return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(member));
}
