import { Link } from "@tanstack/react-router";
import { Globe } from "lucide-react";
import { useState } from "react";
import { rolesWith } from "#src/platform/auth/roles.ts";
import type { Domain } from "#src/domains/contract.ts";
import { MAX_DOMAINS_PER_ACCOUNT } from "#src/limits.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Badge } from "#dashboard/ui/layout.tsx";
import { OnlyRoles } from "../frame.tsx";
import { ListPage } from "../list-page.tsx";
import { AddDomainDialog } from "./add-dialog.tsx";
import { DomainPage } from "./domain-page.tsx";
import { DomainStatus } from "./domain-status.tsx";
import { useDomains } from "./queries.ts";

/** The domains of the account, or one of them. */
export function DomainSettings({ id }: { id?: string | undefined }) {
  return id === undefined ? <DomainList /> : <DomainPage id={id} />;
}

function DomainList() {
  const { can } = useSession();
  const list = useDomains();
  const [isAdding, setAdding] = useState(false);
  const mayChange = can("domains:write");
  return (
    <>
      <ListPage
        section="domains"
        words={texts.domains}
        icon={<Globe aria-hidden />}
        list={list}
        used={list.items?.length ?? 0}
        limit={MAX_DOMAINS_PER_ACCOUNT}
        mayCreate={mayChange}
        onCreate={() => setAdding(true)}
        notice={!mayChange && <OnlyRoles roles={rolesWith("domains:write")} />}
      >
        {(domain) => <Row key={domain.id} domain={domain} />}
      </ListPage>
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
