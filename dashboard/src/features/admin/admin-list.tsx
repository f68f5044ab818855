import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/field.tsx";
import { Card, EmptyState } from "../../ui/layout.tsx";
import { ListOf } from "../settings/frame.tsx";
import type { Listed } from "../settings/queries.ts";
import { consoleTexts } from "./texts.ts";

export type State = "open" | "decided";

/** A list of the console: a row for each item. */
export function AdminList<Item>({
  name,
  list,
  children,
}: {
  name: keyof typeof consoleTexts.nothing;
  list: Listed<Item>;
  children: (item: Item, index: number) => ReactNode;
}) {
  const { title, text } = consoleTexts.nothing[name];
  const { further, goOn } = consoleTexts.find;
  // A page of a search can have nothing although a later one has.
  const action = list.hasMore ? (
    <Button busy={list.isLoadingMore} onClick={list.loadMore}>
      {goOn}
    </Button>
  ) : undefined;
  const empty = (
    <Card>
      <EmptyState icon={<Inbox aria-hidden />} title={title} action={action} text={list.hasMore ? further : text} />
    </Card>
  );
  return (
    <>
      <h2 className="sr-only">{consoleTexts.sections[name]}</h2>
      <ListOf list={list} empty={empty}>
        {(items) => (
          <Card>
            <ul className="divide-y divide-line">{items.map(children)}</ul>
          </Card>
        )}
      </ListOf>
    </>
  );
}

/** Chooses between what waits for a decision and what is decided. */
export function StateChoice({ state, onChange }: { state: State; onChange: (state: State) => void }) {
  const { label, open, decided } = consoleTexts.state;
  return (
    <Segments
      className="mb-4"
      label={label}
      value={state}
      options={[
        { value: "open", label: open },
        { value: "decided", label: decided },
      ]}
      onChange={onChange}
    />
  );
}

/** A row: its name in the font of URLs, what is known of it, and what can be done. `choice` is a checkbox that chooses it. */
export function Row({
  choice,
  name,
  badges,
  actions,
  children,
}: {
  choice?: ReactNode;
  name: string;
  badges?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      {choice}
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <b className="font-semibold [overflow-wrap:anywhere]">{name}</b>
          {badges}
        </p>
        {children}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </li>
  );
}

/** A name and its value, in a row. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className="mt-1 text-sm [overflow-wrap:anywhere]">
      <span className="text-soft">{label}: </span>
      <bdi>{children}</bdi>
    </p>
  );
}

/** Leads to the account in the list of accounts. Without a name, its id is shown. */
export function AccountLink({ id, name }: { id: string; name?: string | null }) {
  return (
    <Link
      to="/admin/$section"
      params={{ section: "accounts" }}
      search={{ search: id }}
      title={id}
      className="text-accent underline underline-offset-2 hover:text-accent-strong"
    >
      {name ?? id}
    </Link>
  );
}
