import type { OperatorEntry } from "#src/safety/takedowns/contract.ts";
import { formatCountry, formatMoment, formatRelative } from "../../lib/format.ts";
import { AdminList } from "./admin-list.tsx";
import { useRecord } from "./queries.ts";
import { consoleTexts } from "./texts.ts";

/** What operators did. */
export function OperatorRecord() {
  const list = useRecord();
  return (
    <AdminList name="record" list={list}>
      {(entry) => (
        <li key={entry.id} className="flex flex-wrap justify-between gap-x-4 px-5 py-2.5">
          <span className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
            <b className="font-semibold">{operatorOf(entry)}</b> {consoleTexts.record.actions[entry.action]}{" "}
            {entry.subject}
          </span>
          <span className="text-sm text-soft" title={formatMoment(entry.createdAt)}>
            {entry.country === null ? "" : `${formatCountry(entry.country)}, `}
            {formatRelative(entry.createdAt)}
          </span>
        </li>
      )}
    </AdminList>
  );
}

function operatorOf({ operator, action }: OperatorEntry): string {
  if (action === "screening.verdict") return consoleTexts.record.screening;
  return operator === null ? consoleTexts.record.command : (operator.name ?? consoleTexts.record.gone);
}
