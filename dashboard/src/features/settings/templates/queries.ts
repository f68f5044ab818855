import type { UtmTemplate } from "../../../../../src/utm-templates/contract.ts";
import { call } from "../../../api/client.ts";
import { readAgain, useList, type Listed } from "../queries.ts";

/** The largest page of the API (8.2), which is also the most templates that an account has. */
const PAGE_SIZE = 100;

export type TemplateFields = Pick<UtmTemplate, "name" | "utm">;

export function useTemplates(): Listed<UtmTemplate> {
  return useList<UtmTemplate>(["utm-templates"], "/api/utm-templates", "templates", { query: { limit: PAGE_SIZE } });
}

export async function createTemplate(fields: TemplateFields): Promise<UtmTemplate> {
  const { template } = await call<{ template: UtmTemplate }>("POST", "/api/utm-templates", { body: fields });
  await readAgain("utm-templates", "usage");
  return template;
}

export async function updateTemplate(id: string, fields: TemplateFields): Promise<void> {
  await call("PATCH", `/api/utm-templates/${id}`, { body: fields });
  await readAgain("utm-templates");
}

export async function deleteTemplate(id: string): Promise<void> {
  await call("DELETE", `/api/utm-templates/${id}`);
  await readAgain("utm-templates", "usage");
}
