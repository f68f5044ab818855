import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { FoundHost } from "#src/safety/operators/search/contract.ts";
import { formatRelative } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/layout.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { AdminList, Row } from "./admin-list.tsx";
import { Finder, useWanted } from "./finder.tsx";
import { takeDown, useFoundHosts } from "./queries.ts";
import { ReverseButton, TakeDownButton } from "./takedown-buttons.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { TakedownDialog } from "./takedown-dialog.tsx";
import { consoleTexts } from "./texts.ts";

/** The hosts to which links lead, of the newest links first. */
export function Hosts() {
  const wanted = useWanted();
  const list = useFoundHosts(wanted.search);
  const [blocked, setBlocked] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <Finder section="hosts" wanted={{ ...wanted, account: undefined }} />
      <AdminList name="hosts" list={list}>
        {/* A host can be on several pages of the list. */}
        {(found, index) => (
          <HostRow
            key={`${found.host} ${index}`}
            found={found}
            onBlock={() => setBlocked(found.host)}
            onTakeDown={() => setChosen(found.host)}
          />
        )}
      </AdminList>
      {blocked !== null && <RuleDialog host={blocked} onClose={() => setBlocked(null)} />}
      {chosen !== null && (
        <TakedownDialog
          name={chosen}
          kinds={["host"]}
          onClose={() => setChosen(null)}
          onTakeDown={async (_, imposed) => {
            await takeDown(chosen, imposed);
            showChange(consoleTexts.report.wasTakenDown(chosen));
          }}
        />
      )}
    </>
  );
}

interface HostRowProps {
  found: FoundHost;
  onBlock: () => void;
  onTakeDown: () => void;
}

function HostRow({ found, onBlock, onTakeDown }: HostRowProps) {
  const words = consoleTexts.host;
  const { host, links, accounts, linksWithoutAccount, newestAt, takedownId } = found;
  const actions = (
    <>
      <Button size="small" asChild>
        <Link
          to="/admin/$section"
          params={{ section: "links" }}
          search={{ search: host }}
          aria-label={consoleTexts.account.linksOf(host)}
        >
          {consoleTexts.account.showLinks}
        </Link>
      </Button>
      <Button size="small" kind="caution" onClick={onBlock}>
        {words.block}
      </Button>
      {takedownId === null ? <TakeDownButton onClick={onTakeDown} /> : <ReverseButton id={takedownId} name={host} />}
    </>
  );
  return (
    <Row
      name={host}
      badges={takedownId !== null && <Badge kind="bad">{consoleTexts.report.taken_down}</Badge>}
      actions={actions}
    >
      <p className="mt-1 text-sm">{words.facts(links, accounts, linksWithoutAccount)}</p>
      <p className="mt-1 text-sm text-soft">{words.newest(formatRelative(newestAt))}</p>
    </Row>
  );
}
