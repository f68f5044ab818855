import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { FoundHost } from "#src/admin/search/contract.ts";
import { formatRelative } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { AdminList, Row } from "./admin-list.tsx";
import { Finder, useWanted } from "./finder.tsx";
import { useFoundHosts } from "./queries.ts";
import { RuleDialog } from "./rule-dialog.tsx";

/** The hosts to which links lead, of the newest links first. */
export function Hosts() {
  const wanted = useWanted();
  const list = useFoundHosts(wanted.search);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <Finder section="hosts" wanted={{ ...wanted, account: undefined }} />
      <AdminList name="hosts" list={list}>
        {/* A host can be on several pages of the list. */}
        {(host, index) => <HostRow key={`${host.host} ${index}`} found={host} onBlock={() => setChosen(host.host)} />}
      </AdminList>
      {chosen !== null && <RuleDialog host={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function HostRow({ found, onBlock }: { found: FoundHost; onBlock: () => void }) {
  const words = texts.admin.host;
  const { host, links, accounts, linksWithoutAccount, newestAt } = found;
  const actions = (
    <>
      <Button size="small" asChild>
        <Link
          to="/admin/$section"
          params={{ section: "links" }}
          search={{ search: host }}
          aria-label={texts.admin.account.linksOf(host)}
        >
          {texts.admin.account.showLinks}
        </Link>
      </Button>
      <Button size="small" kind="caution" onClick={onBlock}>
        {words.block}
      </Button>
    </>
  );
  return (
    <Row name={host} actions={actions}>
      <p className="mt-1 text-sm">{words.facts(links, accounts, linksWithoutAccount)}</p>
      <p className="mt-1 text-sm text-soft">{words.newest(formatRelative(newestAt))}</p>
    </Row>
  );
}
