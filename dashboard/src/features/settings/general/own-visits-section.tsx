import { useQuery } from "@tanstack/react-query";
import { OWN_VISITS_PATH } from "#src/redirect/own-visits.ts";
import { verifiedDomainsQuery } from "#dashboard/api/resources.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Section } from "#dashboard/ui/layout.tsx";

/** Leads to the page of each host where the browser leaves its own visits out. */
export function OwnVisitsSection() {
  const { title, lead } = texts.settings.general.ownVisits;
  const { data: domains = [] } = useQuery(verifiedDomainsQuery);
  const hosts = [
    { name: location.host, origin: location.origin },
    ...domains.map(({ domain, unicodeDomain }) => ({ name: unicodeDomain, origin: `https://${domain}` })),
  ];
  return (
    <Section title={title} lead={lead}>
      <ul className="grid gap-2">
        {hosts.map(({ name, origin }) => (
          <li key={origin} className="[overflow-wrap:anywhere]">
            <a
              href={`${origin}/${OWN_VISITS_PATH}`}
              target="_blank"
              rel="noreferrer"
              className="font-semibold text-accent hover:underline"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
