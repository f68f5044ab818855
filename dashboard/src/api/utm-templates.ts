import type { UtmTemplate } from "#src/links/utm-templates/contract.ts";
import { call } from "./client.ts";
import { readAgain } from "./query-client.ts";

export type TemplateFields = Pick<UtmTemplate, "name" | "utm">;

export async function createTemplate(fields: TemplateFields): Promise<UtmTemplate> {
  const { template } = await call<{ template: UtmTemplate }>("POST", "/api/utm-templates", { body: fields });
  await readAgain("utm-templates", "usage");
  return template;
}

export async function updateTemplate(id: string, fields: Partial<TemplateFields>): Promise<void> {
  await call("PATCH", `/api/utm-templates/${id}`, { body: fields });
  await readAgain("utm-templates");
}

export async function deleteTemplate(id: string): Promise<void> {
  await call("DELETE", `/api/utm-templates/${id}`);
  await readAgain("utm-templates", "usage");
}
