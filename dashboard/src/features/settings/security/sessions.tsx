import { useMutation } from "@tanstack/react-query";
import { Laptop, Smartphone, Tablet } from "lucide-react";
import { useState } from "react";
import { call } from "#dashboard/api/client.ts";
import type { Session } from "#dashboard/api/types.ts";
import { formatCountry, formatMoment } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { Badge, Section, Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { PersonAccessField, usePersonAccess } from "./person-access.tsx";
import { readAgain, useSessions } from "./queries.ts";

const { sessions: page } = texts.person;

export function SessionsSection() {
  const list = useSessions();
  const [isAsking, setAsking] = useState(false);
  const sessions = list.data?.pages.flatMap((part) => part.sessions);
  return (
    <Section
      title={page.title}
      lead={page.lead}
      actions={
        sessions !== undefined &&
        sessions.length > 1 && <Button onClick={() => setAsking(true)}>{page.endOthers}</Button>
      }
    >
      {list.isPending && <Skeleton className="h-16" />}
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {sessions !== undefined && (
        <ul aria-label={page.title} className="-mb-2 divide-y divide-line border-t border-line">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button className="mt-4" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {page.more}
        </Button>
      )}
      {isAsking && <EndOthersDialog onClose={() => setAsking(false)} />}
    </Section>
  );
}

const ICONS = { mobile: Smartphone, tablet: Tablet } as const;

function SessionRow({ session }: { session: Session }) {
  const { id, current, device, country, createdAt, lastSeenAt } = session;
  const name = nameOf(session);
  const Icon = ICONS[device as keyof typeof ICONS] ?? Laptop;
  const ending = useMutation({
    mutationFn: () => call("DELETE", `/api/auth/sessions/${id}`),
    onSuccess: async () => {
      showChange(page.ended(name));
      await readAgain();
    },
    onError: showProblem,
  });
  const place = country === null ? page.unknownPlace : formatCountry(country);
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon size={20} className="shrink-0 text-soft" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-semibold">{name}</span>
          {current && <Badge kind="accent">{page.current}</Badge>}
        </p>
        <p className="text-sm text-soft">
          {page.details(place, current ? page.now : formatMoment(lastSeenAt), formatMoment(createdAt))}
        </p>
      </div>
      {!current && (
        <Button size="small" aria-label={page.endOf(name)} busy={ending.isPending} onClick={() => ending.mutate()}>
          {page.end}
        </Button>
      )}
    </li>
  );
}

/** "Chrome 143 on Android 14", with as much as the browser tells. */
function nameOf({ browser, browserVersion, os, osVersion }: Session): string {
  if (browser === "") return page.unknownBrowser;
  const program = browserVersion === null ? browser : `${browser} ${browserVersion}`;
  return os === "" ? program : page.device(program, osVersion === null ? os : `${os} ${osVersion}`);
}

function EndOthersDialog({ onClose }: { onClose: () => void }) {
  const access = usePersonAccess();
  const [ends, setEnds] = useState(true);
  const end = async () => {
    await call("DELETE", "/api/auth/sessions", { query: { endAccess: ends } });
    onClose();
    showChange(page.othersEnded);
    await readAgain();
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={page.endOthersTitle}
      description={page.endOthersText}
      action={page.endOthers}
      danger="ends"
      disabled={access.isPending}
      onConfirm={end}
    >
      <PersonAccessField access={access} ends={ends} onChange={setEnds} />
    </ConfirmDialog>
  );
}
