import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Domain } from "#src/domains/contract.ts";
import type { Links } from "#src/links/list-contract.ts";
import { call } from "#dashboard/api/client.ts";
import { formatCount } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { CautionSection } from "#dashboard/ui/caution-section.tsx";
import { Dialog } from "#dashboard/ui/dialog.tsx";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { deleteDomain } from "./queries.ts";

export function DeletionSection({ domain }: { domain: Domain }) {
  const { title, text, action } = texts.domains.deletion;
  return (
    <CautionSection
      title={title}
      lead={text}
      action={action}
      renderDialog={(onClose) => <DeletionDialog domain={domain} onClose={onClose} />}
    />
  );
}

function DeletionDialog({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const { action, confirmTitle, counting, none, what, withLinks, final, done } = texts.domains.deletion;
  const navigate = useNavigate();
  const [isForced, setForced] = useState(false);
  const { data, error } = useLinkCount(domain);
  const remove = useMutation({
    mutationFn: () => deleteDomain(domain.id, isForced),
    onSuccess: async () => {
      showChange(done(domain.unicodeDomain));
      await navigate({ to: "/settings/$section", params: { section: "domains" } });
      await readAgain("domains", "links", "usage");
    },
  });
  const count = data?.count;
  const hasLinks = (count?.value ?? 0) > 0;
  return (
    <Dialog
      size="small"
      onClose={onClose}
      title={confirmTitle(domain.unicodeDomain)}
      description={final}
      footer={
        <>
          <Button onClick={onClose}>{texts.ui.cancel}</Button>
          <Button
            kind="danger"
            busy={remove.isPending}
            disabled={count === undefined || (hasLinks && !isForced)}
            onClick={() => remove.mutate()}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {count === undefined && error === null && <p role="status">{counting}</p>}
        {count !== undefined && <p>{hasLinks ? `${countText(count)} ${what}` : none}</p>}
        {hasLinks && (
          <Checkbox label={withLinks} checked={isForced} onChange={(event) => setForced(event.target.checked)} />
        )}
        {error !== null && <ErrorNotice error={error} />}
        {remove.error !== null && <ErrorNotice error={remove.error} />}
      </div>
    </Dialog>
  );
}

function useLinkCount({ domain }: Domain) {
  return useQuery({
    queryKey: ["links", "count", domain],
    queryFn: ({ signal }) =>
      call<Links>("GET", "/api/links", { query: { domain, count: true, archived: "include", limit: 1 }, signal }),
    staleTime: 0,
  });
}

function countText({ value, isExact }: NonNullable<Links["count"]>): string {
  const { one, some, moreThan } = texts.domains.deletion;
  if (!isExact) return moreThan(formatCount(value));
  return value === 1 ? one : some(formatCount(value));
}
