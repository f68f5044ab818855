import { Download, History } from "lucide-react";
import { useState } from "react";
import type { AuditEntryBody } from "#src/identity/account/contract.ts";
import { formatCountry, formatMoment, formatRelative } from "../../lib/format.ts";
import { nameOfApp } from "../../ui/name-of-app.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { download } from "../../ui/download-link.tsx";
import { Card, EmptyState } from "../../ui/layout.tsx";
import { ALL_ENTRIES, AuditFilter, auditQuery } from "./audit-filter.tsx";
import { ListOf, SettingsHeader } from "./frame.tsx";
import { useList } from "./queries.ts";
import { ColumnHead } from "../../ui/column-head.tsx";

const PATH = "/api/account/audit";
const PAGE_SIZE = 50;

/** The audit log, a sentence for each entry. */
export function AuditSettings() {
  const { lead, empty, noMatch, what, time, country, download: downloadText } = texts.settings.audit;
  const [view, setView] = useState(ALL_ENTRIES);
  const filters = auditQuery(view);
  const list = useList<AuditEntryBody>(["audit"], PATH, "entries", { query: { ...filters, limit: PAGE_SIZE } });
  const words = Object.keys(filters).length === 0 ? empty : noMatch;
  return (
    <>
      <SettingsHeader
        title={texts.settings.sections.audit}
        lead={lead}
        actions={
          <Button onClick={() => void download(PATH, { ...filters, format: "csv" })}>
            <Download size={18} aria-hidden />
            {downloadText}
          </Button>
        }
      />
      <AuditFilter view={view} onChange={(changes) => setView({ ...view, ...changes })} />
      <ListOf
        list={list}
        empty={
          <Card>
            <EmptyState icon={<History aria-hidden />} title={words.title} text={words.text} />
          </Card>
        }
      >
        {(entries) => (
          <Card className="overflow-hidden">
            <table className="w-full text-start">
              <thead className="border-b border-line text-sm text-soft">
                <tr>
                  <ColumnHead className="px-5 py-2.5">{what}</ColumnHead>
                  <ColumnHead className="px-5 py-2.5 max-md:hidden">{country}</ColumnHead>
                  <ColumnHead className="px-5 py-2.5 text-end">{time}</ColumnHead>
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {entries.map((entry) => (
                  <Row key={entry.id} entry={entry} />
                ))}
              </tbody>
            </table>
          </Card>
        )}
      </ListOf>
    </>
  );
}

function Row({ entry }: { entry: AuditEntryBody }) {
  return (
    <tr>
      <td className="px-5 py-2.5 [overflow-wrap:anywhere]">
        <b className="font-semibold">{actorOf(entry)}</b> {actionOf(entry)}
        {changeOf(entry)}
      </td>
      <td className="px-5 py-2.5 text-sm whitespace-nowrap text-soft max-md:hidden">
        {entry.country === null ? "" : formatCountry(entry.country)}
      </td>
      <td className="px-5 py-2.5 text-end text-sm whitespace-nowrap text-soft" title={formatMoment(entry.createdAt)}>
        <time dateTime={new Date(entry.createdAt).toISOString()}>{formatRelative(entry.createdAt)}</time>
      </td>
    </tr>
  );
}

function actorOf({ actor }: AuditEntryBody): string {
  const { operator, gone, key, goneKey, byApp } = texts.settings.audit;
  if (actor.type === "operator") return operator;
  if (actor.type === "key") return actor.name === null ? goneKey : key(actor.name);
  const name = actor.name ?? gone;
  return actor.app === undefined ? name : byApp(name, nameOfApp({ name: actor.app }));
}

/** The old and the new role, name, permissions or days for which single clicks are kept. */
function changeOf({ before, after }: AuditEntryBody): string {
  const { fromTo, quoted, permissions, clickRetention } = texts.settings.audit;
  if (before === null || after === null) return "";
  if (after.clickRetentionDays !== undefined)
    return clickRetention(before.clickRetentionDays ?? null, after.clickRetentionDays);
  if (before.role !== undefined && after.role !== undefined) return fromTo(before.role, after.role);
  const renamed =
    after.name === undefined || before.name === after.name
      ? ""
      : fromTo(quoted(before.name ?? ""), quoted(after.name ?? ""));
  const [had, has] = [before.permissions ?? [], after.permissions];
  if (has === undefined) return renamed;
  const changed = permissions(
    has.filter((name) => !had.includes(name)),
    had.filter((name) => !has.includes(name)),
  );
  return changed === "" ? renamed : `${renamed} (${changed})`;
}

function actionOf({ action, actor, targetId, targetName }: AuditEntryBody): string {
  const { actions, quoted, someone, unknown } = texts.settings.audit;
  const name = action === "member.remove" && actor.id === targetId ? "member.leave" : action;
  const sentence = (actions as Record<string, string>)[name];
  if (sentence === undefined) return unknown(action);
  const isPerson = action.startsWith("member.") || action === "team.transfer" || action.startsWith("invitation.");
  // A function: a name may have the marks that a replacement gives a meaning.
  return sentence.replace("{target}", () => targetName ?? (isPerson ? someone : "")).replace(` ${quoted("")}`, "");
}
