import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { call } from "../api/client.ts";
import { store, useStored } from "../lib/storage.ts";
import { Brand } from "../ui/brand.tsx";
import { texts } from "../texts/index.ts";
import { InputField } from "../ui/field.tsx";
import { Skeleton } from "../ui/layout.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { groupEntries, type ApiDocument, type Group } from "./document.ts";
import { EntryView, Method } from "./entry-view.tsx";
import { Prose } from "./prose.tsx";
import { SAMPLE_LANGUAGES, type Language } from "./samples.ts";

/** Where the page finds the document and the other pages: docs.html says it. Pages without an installation have no `app`. */
const PATHS = document.documentElement.dataset;

const ABOUT_KEYS =
  PATHS["app"] === undefined ? texts.docs.key : `${texts.docs.key} ${texts.docs.makeKeyIn(PATHS["app"])}`;

/** The API reference, made of the document that the service serves. The frame shows while it loads. */
export function Reference() {
  const { api, error, retry } = useApiDocument();
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const anchor = useAnchor();
  const all = useMemo(() => (api === undefined ? [] : groupEntries(api)), [api]);
  // One group at a time, so the page stays short and an anchor is exactly where the browser scrolls to.
  const current =
    all.find(({ name, entries }) => anchor === idOf(name) || entries.some(({ id }) => id === anchor)) ?? all[0];
  const groups = words.length > 0 ? findEntries(all, words) : current === undefined ? [] : [current];
  return (
    <div className="lg:grid lg:grid-cols-[18rem_minmax(0,1fr)]">
      <aside className="border-line lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-e">
        <header className="flex items-center justify-between px-4 pt-4">
          <a href={PATHS["home"]} className="rounded-control">
            <Brand />
          </a>
          <nav aria-label="Tern" className="flex font-semibold">
            <a href={PATHS["guides"]} className="rounded-control px-2 py-1 hover:bg-sunken">
              {texts.docs.guides}
            </a>
            {PATHS["app"] !== undefined && (
              <a href={PATHS["app"]} className="rounded-control px-2 py-1 hover:bg-sunken">
                {texts.docs.dashboard}
              </a>
            )}
          </nav>
        </header>
        <InputField
          label={texts.docs.search}
          hideLabel
          className="p-4"
          type="search"
          placeholder={texts.docs.search}
          value={search}
          onValue={setSearch}
        />
        {api !== undefined && (
          <Contents groups={words.length > 0 ? groups : all} current={words.length > 0 ? undefined : current} />
        )}
        {/* As high as the contents will be: on phones the main column is below, and must not move. */}
        {api === undefined && error === undefined && <Skeleton className="mx-4 mb-6 h-50 lg:h-96" />}
      </aside>
      <main className="mx-auto w-full max-w-[90rem] min-w-0 px-4 pb-24 lg:px-10">
        <header className="pt-10 pb-2">
          <h1 className="text-3xl font-bold tracking-tight">{texts.docs.title}</h1>
          <Prose text={ABOUT_KEYS} className="mt-2 max-w-prose text-soft" />
        </header>
        {error !== undefined && <ErrorNotice error={error} onRetry={retry} />}
        {api === undefined && error === undefined && <Loading />}
        {api !== undefined && <Groups api={api} groups={groups} anchor={anchor} />}
      </main>
    </div>
  );
}

function useApiDocument(): { api: ApiDocument | undefined; error: unknown; retry: () => void } {
  const [request, setRequest] = useState(readDocument);
  const [api, setApi] = useState<ApiDocument>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    void request.then(setApi, setError);
  }, [request]);
  const retry = () => {
    setError(undefined);
    setRequest(readDocument());
  };
  return { api, error, retry };
}

function readDocument(): Promise<ApiDocument> {
  return call("GET", new URL(PATHS["document"] ?? "", location.href).pathname);
}

function Loading() {
  return (
    <div className="grid gap-4 py-4" aria-busy="true" aria-label={texts.ui.loading} role="status">
      <Skeleton className="h-24" />
      <Skeleton className="h-64" />
    </div>
  );
}

function Groups({ api, groups, anchor }: { api: ApiDocument; groups: readonly Group[]; anchor: string }) {
  // The browser looked for the anchor before the page had it.
  useEffect(() => {
    document.getElementById(anchor)?.scrollIntoView();
  }, [anchor]);
  const stored = useStored("docs-language");
  const language = SAMPLE_LANGUAGES.find((each) => each === stored) ?? "curl";
  return (
    <>
      <Prose text={api.info.description} className="mb-10 max-w-prose text-soft" />
      {groups.length === 0 && <p className="text-soft">{texts.docs.nothing}</p>}
      {groups.map((group) => (
        <section key={group.name} className="mb-10" aria-labelledby={idOf(group.name)}>
          <h2 id={idOf(group.name)} className="scroll-mt-6 text-2xl font-bold tracking-tight">
            {group.name}
          </h2>
          <Prose text={group.description} className="mt-1 mb-5 max-w-prose text-soft" />
          {group.entries.map((entry) => (
            <EntryView
              key={entry.id}
              api={api}
              entry={entry}
              language={language}
              onLanguage={(value: Language) => store("docs-language", value)}
            />
          ))}
        </section>
      ))}
    </>
  );
}

/** The anchor in the address of the page. */
function useAnchor(): string {
  return useSyncExternalStore(
    (listener) => {
      addEventListener("hashchange", listener);
      return () => removeEventListener("hashchange", listener);
    },
    () => decodeURIComponent(location.hash.slice(1)),
  );
}

/** The anchor of a group. */
function idOf(group: string): string {
  return group.toLowerCase().replaceAll(" ", "-");
}

/** `current` is the group that the page shows; without it, all are open. */
function Contents({ groups, current }: { groups: readonly Group[]; current: Group | undefined }) {
  return (
    <nav aria-label={texts.docs.contents} className="px-2 pb-6 max-lg:max-h-56 max-lg:overflow-y-auto">
      {groups.map(({ name, entries }) => (
        <div key={name}>
          <a
            href={`#${idOf(name)}`}
            aria-current={name === current?.name ? "true" : undefined}
            className="block rounded-control px-2 py-1.5 font-semibold hover:bg-sunken aria-current:bg-wash aria-current:text-accent-strong"
          >
            {name}
          </a>
          <ul className="mb-2" hidden={current !== undefined && name !== current.name}>
            {entries.map(({ id, method, operation }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="flex items-baseline gap-2 rounded-control px-2 py-1 text-sm hover:bg-sunken"
                >
                  <span className="w-12 shrink-0">
                    <Method method={method} />
                  </span>
                  {operation.summary}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The entries whose name, path or description have all of the words. */
function findEntries(groups: Group[], words: string[]): Group[] {
  return groups.flatMap((group) => {
    const entries = group.entries.filter(({ method, path, operation }) => {
      const text = `${group.name} ${method} ${path} ${operation.summary} ${operation.description ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return entries.length === 0 ? [] : [{ ...group, entries }];
  });
}
