import { formatDay, formatMoment, formatRelative } from "#dashboard/lib/format.ts";
import { nameOfApp } from "#dashboard/ui/name-of-app.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Badge } from "#dashboard/ui/layout.tsx";
import { Fact } from "../fact.tsx";
import type { ConnectedApp } from "./queries.ts";

interface Props {
  app: ConnectedApp;
  onDisconnect: () => void;
}

/** An app in the list: who it says it is, what it may do, since when, and for whom. */
export function AppRow({ app, onDisconnect }: Props) {
  const { facts, unverified, disconnect } = texts.apps;
  const { client, scopes, createdAt, lastUsedAt, person, isOwn } = app;
  const name = nameOfApp(client);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-2">
          <h3 dir="auto" className="max-w-full truncate font-semibold">
            {name}
          </h3>
          {client.isVerified ? (
            <span className="text-sm text-soft [overflow-wrap:anywhere]">{client.host}</span>
          ) : (
            <Badge kind="warn">{unverified}</Badge>
          )}
        </div>
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
          <Fact label={facts.may}>{scopes.map((scope) => texts.keys.permissions.names[scope]).join(", ")}</Fact>
          <Fact label={facts.connected}>
            <span title={formatMoment(createdAt)}>{formatDay(createdAt)}</span>
            {!isOwn && ` ${facts.by(person.name, person.email)}`}
          </Fact>
          <Fact label={facts.used}>
            {lastUsedAt === null ? (
              facts.neverUsed
            ) : (
              <span title={formatMoment(lastUsedAt)}>{formatRelative(lastUsedAt)}</span>
            )}
          </Fact>
        </dl>
      </div>
      <Button size="small" aria-label={`${disconnect}: ${name}`} onClick={onDisconnect}>
        {disconnect}
      </Button>
    </li>
  );
}
