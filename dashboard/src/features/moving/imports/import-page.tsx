import { Link } from "@tanstack/react-router";
import { FileQuestion } from "lucide-react";
import { useEffect, useRef } from "react";
import { ApiError } from "#dashboard/api/client.ts";
import type { Import } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { BackButton } from "#dashboard/ui/back-button.tsx";
import { Card, EmptyState, Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { useImport } from "../queries.ts";
import { titleOfImport } from "../work/work.ts";
import { StatusBadge } from "../work/status-badge.tsx";
import { ImportState } from "./import-state.tsx";
import { Preview } from "./preview.tsx";

/** One import: its preview, how far it is, or what came of it. */
export function ImportPage({ id }: { id: string }) {
  const { data, error, refetch } = useImport(id);
  return (
    <>
      <BackButton>
        <Link to="/moving/$kind" params={{ kind: "import" }}>
          {texts.importing.back}
        </Link>
      </BackButton>
      {data === undefined ? (
        <Unread error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Heading key={String(isChoosing(data))} current={data} />
          {isChoosing(data) ? <Preview current={data} /> : <ImportState current={data} />}
        </>
      )}
    </>
  );
}

/** Takes the focus when it is shown. It gets another key when the element with the focus is removed. */
function Heading({ current }: { current: Import }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 ref={heading} tabIndex={-1} className="text-xl font-bold outline-none">
        {titleOfImport(current)}
      </h2>
      <StatusBadge status={current.status} />
    </div>
  );
}

/** While it is checked anew after a choice, an import still has its rows. */
function isChoosing({ status, rows }: Import): boolean {
  return status === "ready" || (status === "reading" && rows > 0);
}

function Unread({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Card>
        <EmptyState icon={<FileQuestion aria-hidden />} {...texts.importing.missing} />
      </Card>
    );
  }
  if (error !== null) return <ErrorNotice error={error} onRetry={onRetry} />;
  return (
    <div role="status" aria-label={texts.ui.loading}>
      <Skeleton className="mb-5 h-7 w-56" />
      <Skeleton className="mb-4 h-40" />
      <Skeleton className="h-64" />
    </div>
  );
}
