import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { Suspense, useState } from "react";
import { ApiError, call } from "../../api/client.ts";
import { factorsQuery } from "../../api/resources.ts";
import { lazyPart } from "../../lib/lazy-part.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/layout.tsx";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { NotFound, PagePending } from "../../ui/page-states.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { consoleTexts } from "./texts.ts";

const Console = lazyPart(() => import("./console.tsx").then(({ Console }) => Console));
const IdentityDialog = lazyPart(() =>
  import("../../identity/identity-dialog.tsx").then(({ IdentityDialog }) => IdentityDialog),
);

/** Asks the API whether the person is an operator. Others get a page that does not exist, and not the code of the console. */
export function AdminPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", "access"],
    queryFn: ({ signal }) => call<object>("GET", "/api/admin/reports", { query: { limit: 1 }, signal }),
    retry: false,
    staleTime: Infinity,
  });
  if (data !== undefined)
    return (
      <Suspense fallback={<PagePending />}>
        <Console />
      </Suspense>
    );
  if (error === null) return <PagePending />;
  const again = () => void refetch();
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  if (error instanceof ApiError && error.code === "mfa_required") return <FactorNeeded onConfirmed={again} />;
  return (
    <div className="p-6">
      <ErrorNotice error={error} onRetry={again} />
    </div>
  );
}

function FactorNeeded({ onConfirmed }: { onConfirmed: () => void }) {
  const { title, text, add, confirm } = consoleTexts.factor;
  const { data: factors } = useQuery(factorsQuery);
  const [isConfirming, setConfirming] = useState(false);
  const hasFactor = factors !== undefined && (factors.totp || factors.passkeys.length > 0);
  const action = hasFactor ? (
    <Button kind="primary" onClick={() => setConfirming(true)}>
      {confirm}
    </Button>
  ) : (
    <Button kind="primary" asChild>
      <Link to="/settings/$section" params={{ section: "security" }}>
        {add}
      </Link>
    </Button>
  );
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <EmptyState icon={<ShieldCheck aria-hidden />} title={title} heading="h1" action={action} text={text} />
      <LazyDialogs onFail={() => setConfirming(false)}>
        {isConfirming && (
          <IdentityDialog
            onDone={(confirmed) => {
              setConfirming(false);
              if (confirmed) onConfirmed();
            }}
          />
        )}
      </LazyDialogs>
    </>
  );
}
