import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { verifiedDomainsQuery } from "#dashboard/api/resources.ts";
import type { Import } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Options, Select } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";

interface HostsProps {
  current: Import;
  onChange: (domains: Import["domains"]) => void;
}

/** Where the links of each old domain go. */
export function Hosts({ current, onChange }: HostsProps) {
  const { data: domains = [] } = useQuery(verifiedDomainsQuery);
  const own = texts.importing.hosts;
  const standard = current.hosts.find((entry) => choiceOf(current, entry) === "default")?.domain ?? null;
  const names = domains.map(({ domain }) => domain);
  return (
    <Section title={own.title} lead={own.lead}>
      <ul className="divide-y divide-line">
        {current.hosts.map((entry) => (
          <li
            key={entry.host}
            className="grid gap-x-4 gap-y-1.5 py-2.5 md:grid-cols-[minmax(0,1fr)_8rem_20rem] md:items-center"
          >
            <span className="font-mono text-sm break-all">{entry.host}</span>
            <span className="text-sm text-soft tabular">{texts.importing.list.rows(entry.links)}</span>
            <Select
              aria-label={own.targetFor(entry.host)}
              value={choiceOf(current, entry)}
              onChange={({ target }) => onChange({ ...listChoices(current), [entry.host]: target.value })}
            >
              {isOwn(entry) && !names.includes(entry.host) && <option value={entry.host}>{own.own}</option>}
              <Options values={names} nameOf={(name) => (name === entry.host ? own.own : name)} />
              <option value="default">{own.default(standard)}</option>
              <option value="skip">{own.skip}</option>
            </Select>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-soft">
        {own.addHint}{" "}
        <Link
          to="/settings/$section"
          params={{ section: "domains" }}
          className="font-semibold text-accent-strong underline"
        >
          {own.add}
        </Link>
      </p>
    </Section>
  );
}

type Host = Import["hosts"][number];

/** A domain of the account keeps its links. */
function isOwn({ host, domain }: Host): boolean {
  return host === domain;
}

function choiceOf({ domains }: Import, entry: Host): string {
  if (typeof domains !== "string" && domains[entry.host] !== undefined) return domains[entry.host] ?? "default";
  if (isOwn(entry)) return entry.host;
  return typeof domains === "string" ? domains : "default";
}

/** What is chosen for each host, where it is not what the service does by itself. */
function listChoices(current: Import): Record<string, string> {
  if (typeof current.domains !== "string") return current.domains;
  const others = current.hosts.filter((entry) => !isOwn(entry));
  return current.domains === "skip" ? Object.fromEntries(others.map(({ host }) => [host, "skip"])) : {};
}
