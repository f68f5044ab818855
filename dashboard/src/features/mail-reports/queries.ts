import { useQuery } from "@tanstack/react-query";
import type { CreateMailReport, MailReport, UpdateMailReport } from "#src/clicks/mail-reports/contract.ts";
import { call } from "#dashboard/api/client.ts";
import { queryClient } from "#dashboard/api/query-client.ts";

export type { CreateMailReport, MailReport };

const PATH = "/api/account/mail-reports";
const MAIL_REPORTS = ["mail-reports"] as const;

/** The reports that the person gets of the account. */
export function useMailReports() {
  return useQuery({
    queryKey: MAIL_REPORTS,
    queryFn: async ({ signal }) => (await call<{ reports: MailReport[] }>("GET", PATH, { signal })).reports,
  });
}

export async function createMailReport(body: CreateMailReport): Promise<MailReport> {
  const { report } = await call<{ report: MailReport }>("POST", PATH, { body });
  await readAgain();
  return report;
}

export async function updateMailReport(id: string, body: UpdateMailReport): Promise<MailReport> {
  const { report } = await call<{ report: MailReport }>("PATCH", `${PATH}/${id}`, { body });
  await readAgain();
  return report;
}

export async function deleteMailReport(id: string): Promise<void> {
  await call("DELETE", `${PATH}/${id}`);
  await readAgain();
}

/** What asks for the same report again. */
export function askFor({ frequency, timezone, linkId, tag }: MailReport): CreateMailReport {
  return { frequency, timezone, ...(linkId !== null && { linkId }), ...(tag !== null && { tag }) };
}

const readAgain = () => queryClient.invalidateQueries({ queryKey: MAIL_REPORTS });
