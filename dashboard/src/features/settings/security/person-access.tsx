import { useQuery } from "@tanstack/react-query";
import { call } from "#dashboard/api/client.ts";
import type { PersonAccess } from "#dashboard/api/types.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { EndingList } from "../ending-list.tsx";

/** What the person made that reads without a session. It is read again each time a dialog opens. */
export function usePersonAccess() {
  return useQuery({
    queryKey: ["person-access"],
    queryFn: ({ signal }) => call<{ access: PersonAccess }>("GET", "/api/auth/access", { signal }),
    gcTime: 0,
  });
}

interface Props {
  access: ReturnType<typeof usePersonAccess>;
  ends: boolean;
  onChange: (ends: boolean) => void;
}

/** Names the apps and shared pages of the person, and offers to end them. */
export function PersonAccessField({ access, ends, onChange }: Props) {
  const { end, hint, kinds, untitled, of } = texts.person.access;
  const { accounts } = useSession();
  const { apps = [], sharedPages = [] } = access.data?.access ?? {};
  // If the list cannot be read, the choice stays.
  if (access.isPending || (access.isSuccess && apps.length + sharedPages.length === 0)) return null;
  const name = (own: string, account: string) => (accounts.length > 1 ? of(own, account) : own);
  return (
    <div className="grid gap-3">
      <Checkbox label={end} hint={hint} checked={ends} onChange={(event) => onChange(event.target.checked)} />
      <EndingList
        groups={[
          [kinds.apps, apps.map((app) => name(app.name, app.account))],
          [kinds.sharedPages, sharedPages.map(({ title, account }) => name(title ?? untitled, account))],
        ]}
      />
      {access.isError && <ErrorNotice error={access.error} onRetry={() => void access.refetch()} />}
    </div>
  );
}
