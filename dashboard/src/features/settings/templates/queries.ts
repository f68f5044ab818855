import type { UtmTemplate } from "#src/utm-templates/contract.ts";
import { useQuery } from "@tanstack/react-query";
import { call } from "#dashboard/api/client.ts";
import { utmTemplatesQuery } from "#dashboard/api/resources.ts";
import { readAgain, toListed, type Listed } from "../queries.ts";

export type TemplateFields = Pick<UtmTemplate, "name" | "utm">;

export function useTemplates(): Listed<UtmTemplate> {
  return toListed(useQuery(utmTemplatesQuery));
}

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
