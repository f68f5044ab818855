import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "#dashboard/api/client.ts";
import { queryClient } from "#dashboard/api/query-client.ts";
import { domainsQuery } from "#dashboard/api/resources.ts";
import type { Link } from "#dashboard/api/types.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import type { Domain } from "#src/domains/contract.ts";
import type { QrStyle as KeptStyle } from "#src/qr/domain-style-contract.ts";
import { explainRefusal } from "./drawing.ts";
import { fromKept, isDrawable, toKept, type QrStyle } from "./style.ts";

const { domainStyle: words } = texts.qr;

interface Kept {
  qrStyle: KeptStyle | null;
}

/** The link's custom domain, and the style that it keeps for the codes of its links. */
export function useDomainStyle(link: Link): { domain: Domain | undefined; kept: KeptStyle | null | undefined } {
  const { data: domains } = useQuery({ ...domainsQuery, enabled: link.domain !== location.host });
  const domain = domains?.find((each) => each.domain === link.domain);
  const { data } = useQuery({
    queryKey: ["domains", domain?.id, "qr-style"],
    queryFn: ({ signal }) => call<Kept>("GET", `/api/domains/${domain?.id}/qr-style`, { signal }),
    enabled: domain !== undefined,
  });
  return { domain, kept: data?.qrStyle };
}

interface DomainStyleProps {
  domain: Domain;
  kept: KeptStyle | null;
  style: QrStyle;
  onUse: (style: QrStyle) => void;
}

/** Keeps the style for the domain, and uses the one that it keeps. */
export function DomainStyle({ domain, kept, style, onUse }: DomainStyleProps) {
  const { can } = useSession();
  const change = useMutation({
    mutationFn: (qrStyle: KeptStyle | null) =>
      call<Kept>("PUT", `/api/domains/${domain.id}/qr-style`, { body: { qrStyle } }),
    onSuccess: (data) => {
      queryClient.setQueryData(["domains", domain.id, "qr-style"], data);
      showToast({ title: (data.qrStyle === null ? words.ended : words.kept)(domain.unicodeDomain) });
    },
    onError: (error) => showToast({ kind: "problem", title: explainRefusal(error) }),
  });
  const isShown = kept !== null && JSON.stringify(style) === JSON.stringify(fromKept(kept, style));
  const mayChange = can("domains:write");
  return (
    <section className="rounded-control border border-line p-3">
      <h3 className="font-semibold">{words.title(domain.unicodeDomain)}</h3>
      <p className="text-sm text-soft">{kept === null ? words.none : words.text}</p>
      <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
        {kept !== null && !isShown && (
          <Button size="small" onClick={() => onUse(fromKept(kept, style))}>
            {words.use}
          </Button>
        )}
        {mayChange && !isShown && (
          <Button
            size="small"
            disabled={!isDrawable(style)}
            busy={change.isPending}
            onClick={() => change.mutate(toKept(style))}
          >
            {words.keep}
          </Button>
        )}
        {mayChange && kept !== null && (
          <Button size="small" kind="quiet" busy={change.isPending} onClick={() => change.mutate(null)}>
            {words.end}
          </Button>
        )}
      </div>
    </section>
  );
}
