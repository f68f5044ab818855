import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PERMISSIONS } from "#src/platform/auth/permissions.ts";
import type { ApiKey } from "#src/identity/keys/contract.ts";
import { cx } from "#dashboard/lib/class-names.ts";
import { formatCountry, formatDay, formatMoment, formatRelative } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Badge } from "#dashboard/ui/layout.tsx";
import { Fact } from "../fact.tsx";
import { presetOf } from "./permission-sets.ts";
import { EditButton } from "#dashboard/ui/row-buttons.tsx";

interface Props {
  apiKey: ApiKey;
  mayChange: boolean;
  onEdit: () => void;
  onRevoke: () => void;
}

/** A key in the list, with what 5.7 of the spec names. */
export function KeyRow({ apiKey, mayChange, onEdit, onRevoke }: Props) {
  const { facts, status, revoke } = texts.keys;
  const { link, linkOf } = texts.requestLog;
  const isRevoked = apiKey.status === "revoked";
  const state = isRevoked ? "revoked" : apiKey.expired ? "expired" : "active";
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className={cx("font-semibold [overflow-wrap:anywhere]", isRevoked && "text-soft line-through")}>
            {apiKey.name}
          </h2>
          <Badge kind={state === "active" ? "good" : state === "expired" ? "warn" : "neutral"}>{status[state]}</Badge>
          <code className="font-mono text-sm text-soft">
            {apiKey.prefix}…{apiKey.lastFour}
          </code>
        </div>
        <dl className="mt-2 grid gap-x-6 gap-y-1 text-sm grid-cols-[auto_minmax(0,1fr)] lg:grid-cols-[auto_minmax(0,1fr)_auto_minmax(0,1fr)]">
          <Fact label={facts.may}>{permissionsText(apiKey)}</Fact>
          <Fact label={facts.used}>{usedText(apiKey)}</Fact>
          <Fact label={facts.created}>
            <span title={formatMoment(apiKey.createdAt)}>{formatDay(apiKey.createdAt)}</span> {creatorText(apiKey)}
          </Fact>
          <Fact label={apiKey.expired ? facts.expired : facts.expires}>
            {apiKey.expiresAt === null ? texts.settings.never : formatMoment(apiKey.expiresAt)}
          </Fact>
        </dl>
      </div>
      <div className="flex items-center gap-1">
        <Button size="small" kind="quiet" asChild>
          <Link
            to="/settings/$section/$id"
            params={{ section: "keys", id: apiKey.id }}
            aria-label={linkOf(apiKey.name)}
          >
            {link}
          </Link>
        </Button>
        {!isRevoked && (
          <>
            <EditButton label={`${texts.settings.edit}: ${apiKey.name}`} disabled={!mayChange} onClick={onEdit} />
            <Button size="small" disabled={!mayChange} aria-label={`${revoke}: ${apiKey.name}`} onClick={onRevoke}>
              {revoke}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

function permissionsText({ permissions }: ApiKey): string {
  const { all, readOnly, names } = texts.keys.permissions;
  const preset = presetOf(permissions, PERMISSIONS);
  if (preset === "all") return all;
  if (preset === "read") return readOnly;
  return permissions.map((permission) => names[permission]).join(", ");
}

function usedText({ lastUsedAt, lastUsedCountry }: ApiKey): ReactNode {
  const { neverUsed, from } = texts.keys.facts;
  if (lastUsedAt === null) return neverUsed;
  return (
    <span title={formatMoment(lastUsedAt)}>
      {formatRelative(lastUsedAt)}
      {lastUsedCountry !== null && ` ${from(formatCountry(lastUsedCountry))}`}
    </span>
  );
}

function creatorText({ createdBy }: ApiKey): string {
  const { byOperator, byKey, createdBy: by, gone } = texts.keys.facts;
  if (createdBy === null) return byOperator;
  if (createdBy.name === null) return gone;
  return createdBy.type === "key" ? byKey(createdBy.name) : by(createdBy.name);
}
