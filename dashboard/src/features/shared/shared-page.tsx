import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Link2Off, Lock, Tag } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { ViewedPage } from "#src/clicks/shared-pages/viewer-contract.ts";
import { ApiError, call } from "../../api/client.ts";
import { Brand } from "../../ui/brand.tsx";
import { Form } from "../../ui/form.tsx";
import { OfflineBanner } from "../../ui/offline-banner.tsx";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { InputField } from "../../ui/field.tsx";
import { Card, EmptyState, Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice, explainError } from "../../ui/notice.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { AnalyticsView } from "../analytics/analytics-view.tsx";
import { VIEWED_PAGES } from "../analytics/queries.ts";
import { useViewedPage } from "../analytics/sharing/queries.ts";

const { viewer } = texts.shared;

/** The clicks of a link or a tag, for everybody who has the URL. */
export function SharedPage() {
  const { token = "" } = useParams({ strict: false });
  return (
    <div className="mx-auto w-full max-w-[90rem] px-4 md:px-8">
      <header className="flex items-center justify-between gap-4 py-4">
        <Brand />
        <span className="text-sm text-soft max-sm:sr-only">{viewer.by}</span>
      </header>
      <OfflineBanner />
      <main id="content" className="pt-2 pb-16">
        <Content token={token} passwordForm={<PasswordForm token={token} />} />
      </main>
    </div>
  );
}

/** The same in a frame of another site: without a header. Its links open new tabs: no other page of the dashboard is for frames. */
export function EmbeddedPage() {
  const { token = "" } = useParams({ strict: false });
  return (
    <main id="content" className="p-4">
      <Content
        token={token}
        // The cookie of a password is not sent from frames of other sites, and nobody should enter one there.
        passwordForm={
          <Centered title={viewer.password.title}>
            <EmptyState icon={<Lock aria-hidden />} title={viewer.password.title} text={viewer.notEmbedded} />
          </Centered>
        }
      />
      <p className="mt-4 text-sm text-soft">
        <a href={`/app/shared/${encodeURIComponent(token)}`} target="_blank" rel="noreferrer" className="underline">
          {viewer.openPage}
        </a>{" "}
        · {viewer.by}
      </p>
    </main>
  );
}

function Content({ token, passwordForm }: { token: string; passwordForm: ReactNode }) {
  const { data: page, error, refetch } = useViewedPage(token);
  if (page !== undefined) return <Viewed page={page} token={token} />;
  if (error === null) return <Skeleton className="h-16 max-w-lg" />;
  return <Problem error={error} passwordForm={passwordForm} onRetry={() => void refetch()} />;
}

function Viewed({ page, token }: { page: ViewedPage; token: string }) {
  const { title, shortUrl, tag, destination } = page;
  const name = shortUrl === null ? (tag ?? "") : withoutScheme(shortUrl);
  return (
    <>
      <PageTitle>{title ?? name}</PageTitle>
      <header className="mb-4">
        <h1 dir="auto" className="text-as-parent text-2xl leading-tight font-bold tracking-tight wrap-anywhere">
          {title ?? name}
        </h1>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-soft">
          {shortUrl !== null && (
            <>
              {viewer.clicksOf}
              <a
                href={shortUrl}
                target="_blank"
                rel="noreferrer"
                className="font-semibold text-accent-strong underline break-all"
              >
                {name}
              </a>
            </>
          )}
          {tag !== null && (
            <>
              <Tag size={16} aria-hidden />
              <bdi className="font-semibold text-ink">{tag}</bdi>
              {viewer.tag}
            </>
          )}
          {destination !== null && (
            <span className="wrap-anywhere">
              <span className="max-sm:hidden" aria-hidden>
                ·{" "}
              </span>
              {viewer.leadsTo}{" "}
              <bdi dir="ltr" className="text-ink">
                {destination}
              </bdi>
            </span>
          )}
        </p>
      </header>
      <AnalyticsView source={{ kind: "shared", token }} />
    </>
  );
}

function Problem({ error, passwordForm, onRetry }: { error: Error; passwordForm: ReactNode; onRetry: () => void }) {
  const code = error instanceof ApiError ? error.code : "";
  if (code === "password_required") return passwordForm;
  if (code !== "not_found") return <ErrorNotice error={error} onRetry={onRetry} />;
  return (
    <Centered title={viewer.gone.title}>
      <EmptyState icon={<Link2Off aria-hidden />} title={viewer.gone.title} text={viewer.gone.text} />
    </Centered>
  );
}

function Centered({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="mx-auto mt-[8vh] max-w-lg">
      <PageTitle>{title}</PageTitle>
      <h1 className="sr-only">{title}</h1>
      {children}
    </Card>
  );
}

function PasswordForm({ token }: { token: string }) {
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const enter = async () => {
    setBusy(true);
    try {
      await call("POST", `/api/shared/${encodeURIComponent(token)}/password`, { body: { password } });
      setProblem(undefined);
      await client.resetQueries({ queryKey: [...VIEWED_PAGES, token] });
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Centered title={viewer.password.title}>
      <Form
        className="p-8"
        onSubmit={() => {
          if (password !== "") void enter();
        }}
      >
        <div className="mb-4 flex size-12 items-center justify-center rounded-full bg-wash text-accent">
          <Lock aria-hidden />
        </div>
        <p className="text-lg font-bold">{viewer.password.title}</p>
        <p className="mt-1 mb-5 text-soft">{viewer.password.text}</p>
        <InputField
          label={viewer.password.label}
          error={problem}
          type="password"
          autoFocus="always"
          autoComplete="off"
          value={password}
          onValue={setPassword}
        />
        <Button type="submit" kind="primary" className="mt-4 w-full" busy={isBusy} disabled={password === ""}>
          {viewer.password.action}
        </Button>
      </Form>
    </Centered>
  );
}
