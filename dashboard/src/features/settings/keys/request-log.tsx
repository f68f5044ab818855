import { useNavigate } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { useState } from "react";
import type { ApiKey } from "#src/identity/keys/contract.ts";
import { LOGGED_METHODS, STATUS_CLASSES } from "#src/identity/keys/request-filters.ts";
import type { LoggedRequest } from "#src/identity/keys/request-log-contract.ts";
import { formatCount, formatMoment, formatRelative } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Options, SelectField } from "#dashboard/ui/field.tsx";
import { Badge, Card, EmptyState } from "#dashboard/ui/layout.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import { BackLink, ListOf, SettingsHeader } from "../frame.tsx";
import { useKeys, useRequests, type RequestView } from "./queries.ts";
import { ColumnHead } from "#dashboard/ui/column-head.tsx";

/** Stands for the id of a key in the path of the page: the requests of all keys. */
const ALL_KEYS = "requests";

/** API requests with one key or with all. */
export function RequestLog({ id }: { id: string }) {
  const { title, lead, off, leftOut, empty, noMatch } = texts.requestLog;
  const keyId = id === ALL_KEYS ? "" : id;
  const [{ status, method }, setView] = useState({ status: "", method: "" });
  const view = { keyId, status, method };
  const list = useRequests(view);
  const { items: keys = [] } = useKeys();
  const words = keyId + status + method === "" ? empty : noMatch;
  return (
    <>
      <BackLink section="keys" />
      <SettingsHeader title={title} lead={lead} />
      {list.log?.recording === false && <Notice className="mb-4">{off}</Notice>}
      <Filters view={view} keys={keys} onChange={(changes) => setView({ status, method, ...changes })} />
      <ListOf
        list={list}
        empty={
          <Card>
            <EmptyState icon={<Activity aria-hidden />} title={words.title} text={words.text} />
          </Card>
        }
      >
        {(requests) => <Requests requests={requests} keys={keys} />}
      </ListOf>
      {list.log !== undefined && list.log.leftOut > 0 && (
        <p className="mt-4 text-sm text-soft">{leftOut(formatCount(list.log.leftOut))}</p>
      )}
    </>
  );
}

interface FiltersProps {
  view: RequestView;
  keys: readonly ApiKey[];
  onChange: (changes: Partial<Pick<RequestView, "status" | "method">>) => void;
}

function Filters({ view, keys, onChange }: FiltersProps) {
  const { filter, statuses } = texts.requestLog;
  const navigate = useNavigate();
  const showKey = (id: string) =>
    void navigate({ to: "/settings/$section/$id", params: { section: "keys", id }, replace: true });
  return (
    <div className="mb-4 grid gap-3 sm:grid-cols-3">
      <SelectField label={filter.key} value={view.keyId} onValue={(value) => showKey(value || ALL_KEYS)}>
        <option value="">{filter.allKeys}</option>
        {keys.map(({ id, name, lastFour }) => (
          <option key={id} value={id}>
            {name} (…{lastFour})
          </option>
        ))}
      </SelectField>
      <SelectField label={filter.status} value={view.status} onValue={(value) => onChange({ status: value })}>
        <option value="">{filter.allStatuses}</option>
        <Options values={STATUS_CLASSES} nameOf={(each) => statuses[each]} />
      </SelectField>
      <SelectField label={filter.method} value={view.method} onValue={(value) => onChange({ method: value })}>
        <option value="">{filter.allMethods}</option>
        <Options values={LOGGED_METHODS} />
      </SelectField>
    </div>
  );
}

function Requests({ requests, keys }: { requests: readonly LoggedRequest[]; keys: readonly ApiKey[] }) {
  const { request, answer, key, time, unknownKey } = texts.requestLog;
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-start">
        <thead className="border-b border-line text-sm text-soft">
          <tr>
            <ColumnHead className="px-5 py-2.5">{request}</ColumnHead>
            <ColumnHead className="px-2 py-2.5">{answer}</ColumnHead>
            <ColumnHead className="min-w-28 px-2 py-2.5 max-md:hidden">{key}</ColumnHead>
            <ColumnHead className="py-2.5 pe-5 ps-2 text-end">{time}</ColumnHead>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {requests.map((each) => (
            <Row key={each.id} request={each} keyName={names.get(each.keyId) ?? unknownKey} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Row({ request, keyName }: { request: LoggedRequest; keyName: string }) {
  const { id, method, path, status, durationMs, createdAt } = request;
  const { took, id: idText } = texts.requestLog;
  return (
    <tr>
      <td className="px-5 py-2.5 font-mono text-sm [overflow-wrap:anywhere]" title={idText(id)}>
        <b className="font-semibold">{method}</b> {path}
        <span className="block text-xs text-soft max-md:hidden"> {id} </span>
      </td>
      <td className="px-2 py-2.5">
        <Badge kind={status < 400 ? "good" : status < 500 ? "warn" : "bad"}>{status}</Badge>
      </td>
      <td className="px-2 py-2.5 text-sm [overflow-wrap:anywhere] max-md:hidden">{keyName}</td>
      <td className="py-2.5 pe-5 ps-2 text-end text-sm whitespace-nowrap text-soft" title={formatMoment(createdAt)}>
        <time dateTime={new Date(createdAt).toISOString()}>{formatRelative(createdAt)}</time>
        <span className="tabular block">{took(formatCount(durationMs))}</span>
      </td>
    </tr>
  );
}
