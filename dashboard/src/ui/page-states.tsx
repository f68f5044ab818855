import { Link, type ErrorComponentProps } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useEffect } from "react";
import { PartError } from "../lib/lazy-part.ts";
import { texts } from "../texts/index.ts";
import { Brand } from "./brand.tsx";
import { Button } from "./button.tsx";
import { EmptyState, Skeleton } from "./layout.tsx";
import { ErrorNotice } from "./notice.tsx";
import { PageTitle } from "./page-title.tsx";

/** Stands for a page while its code or data is loading. */
export function PagePending() {
  return (
    <div className="mx-auto w-full max-w-5xl px-4 pt-6 md:px-8" role="status" aria-label={texts.ui.loading}>
      <Skeleton className="mb-6 h-8 w-48" />
      <Skeleton className="mb-3 h-16" />
      <Skeleton className="mb-3 h-16" />
      <Skeleton className="h-16" />
    </div>
  );
}

export function PageError({ error, reset }: ErrorComponentProps) {
  useEffect(() => {
    if (!(error instanceof PartError)) return undefined;
    const again = () => {
      error.forget();
      reset();
    };
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [error, reset]);
  return (
    <div className="mx-auto w-full max-w-5xl px-4 pt-6 md:px-8">
      <ErrorNotice error={error} onRetry={reset} />
    </div>
  );
}

export function NotFoundPage() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="px-4 py-4 md:px-8">
        <a href="/" className="inline-block rounded-control">
          <Brand />
        </a>
      </header>
      <main className="grid grow place-content-center">
        <NotFound />
      </main>
    </div>
  );
}

/** The same beside the navigation. */
export function NotFound() {
  const { title, text } = texts.errors.notFound;
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <EmptyState
        icon={<Compass aria-hidden />}
        title={title}
        heading="h1"
        action={
          <Button kind="primary" asChild>
            <Link to="/links">{texts.shell.pages.links}</Link>
          </Button>
        }
        text={text}
      />
    </>
  );
}
