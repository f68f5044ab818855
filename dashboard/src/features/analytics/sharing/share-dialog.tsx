import { withoutScheme } from "#dashboard/lib/urls.ts";
import { texts } from "#dashboard/texts/index.ts";
import { useSession } from "#dashboard/session.ts";
import { Dialog } from "#dashboard/ui/dialog.tsx";
import { Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import type { Subject } from "../source.ts";
import { CreateForm } from "./create-form.tsx";
import { useSharedPages } from "./queries.ts";
import { SharedItem } from "./shared-item.tsx";

const { dialog } = texts.shared;

/** Shares the clicks of a link, or of a tag of the account, and lists what is shared. */
export function ShareDialog({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const { can } = useSession();
  const { data, error, refetch } = useSharedPages();
  const pages = data?.filter(({ linkId }) => subject.kind === "account" || linkId === subject.link.id);
  const title = subject.kind === "account" ? dialog.titleAccount : dialog.title(withoutScheme(subject.link.shortUrl));
  return (
    <Dialog onClose={onClose} title={title} description={dialog.lead}>
      {can("links:write") ? (
        <CreateForm subject={subject} shared={data?.length ?? 0} />
      ) : (
        <p className="mb-4 text-soft">{dialog.notAllowed}</p>
      )}
      <h3 className="mt-6 mb-2 font-bold">{dialog.existing}</h3>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {pages === undefined && error === null && <Skeleton className="h-20" />}
      {pages?.length === 0 && <p className="text-soft">{dialog.none}</p>}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {pages?.map((page) => (
          <SharedItem key={page.id} page={page} isOfAccount={subject.kind === "account"} onLeave={onClose} />
        ))}
      </ul>
    </Dialog>
  );
}
