import { Link } from "@tanstack/react-router";
import { Globe, Plus } from "lucide-react";
import { useState } from "react";
import { rolesWith } from "../../../../../src/auth/roles.ts";
import type { Domain } from "../../../../../src/domains/contract.ts";
import { MAX_DOMAINS_PER_ACCOUNT } from "../../../../../src/limits.ts";
import { formatCount } from "../../../lib/format.ts";
import { useSession } from "../../../session.ts";
import { texts } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Badge, Card, EmptyState } from "../../../ui/layout.tsx";
import { ListOf, OnlyRoles, SettingsHeader } from "../frame.tsx";
import { AddDomainDialog } from "./add-dialog.tsx";
import { DomainPage } from "./domain-page.tsx";
import { DomainStatus } from "./domain-status.tsx";
import { useDomains } from "./queries.ts";

/** The domains of the account, or one of them. */
export function DomainSettings({ id }: { id?: string | undefined }) {
  return id === undefined ? <DomainList /> : <DomainPage id={id} />;
}

function DomainList() {
  const { lead, create, count, full, empty } = texts.domains;
  const { can } = useSession();
  const list = useDomains();
  const [isAdding, setAdding] = useState(false);
  const mayChange = can("domains:write");
  const used = list.items?.length ?? 0;
  const limit = MAX_DOMAINS_PER_ACCOUNT;
  const addButton = (
    <Button kind="primary" disabled={!mayChange || used >= limit} onClick={() => setAdding(true)}>
      <Plus size={18} aria-hidden />
      {create}
    </Button>
  );
  return (
    <>
      <SettingsHeader
        title={texts.settings.sections.domains}
        lead={lead}
        actions={list.items?.length === 0 ? undefined : addButton}
      />
      {!mayChange && <OnlyRoles roles={rolesWith("domains:write")} />}
      <ListOf
        list={list}
        empty={
          <Card>
            <EmptyState icon={<Globe aria-hidden />} title={empty.title} action={addButton}>
              {empty.text}
            </EmptyState>
          </Card>
        }
      >
        {(domains) => (
          <>
            <Card>
              <ul className="divide-y divide-line">
                {domains.map((domain) => (
                  <Row key={domain.id} domain={domain} />
                ))}
              </ul>
            </Card>
            <p className="tabular mt-3 text-sm text-soft">
              {used >= limit ? full(formatCount(limit)) : count(formatCount(used), formatCount(limit))}
            </p>
          </>
        )}
      </ListOf>
      {isAdding && <AddDomainDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function Row({ domain }: { domain: Domain }) {
  return (
    <li className="relative flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-4 hover:bg-sunken/50">
      <h2 className="min-w-0 flex-1 basis-60 font-semibold [overflow-wrap:anywhere]">
        <Link
          to="/settings/$section/$id"
          params={{ section: "domains", id: domain.id }}
          className="after:absolute after:inset-0"
        >
          {domain.unicodeDomain}
        </Link>
      </h2>
      {domain.caseSensitive && <Badge>{texts.domains.caseSensitive}</Badge>}
      <DomainStatus domain={domain} />
    </li>
  );
}
