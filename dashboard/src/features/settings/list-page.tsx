import { Plus } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { formatCount } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Card, EmptyState } from "../../ui/layout.tsx";
import { ListOf, SettingsHeader } from "./frame.tsx";
import type { Listed } from "./queries.ts";

interface ListPageProps<Item> {
  section: "keys" | "webhooks" | "domains" | "templates";
  words: {
    lead: string;
    create: string;
    empty: { title: string; text: string };
    count: (used: string, limit: string) => string;
    /** Replaces `count` where no more may be created. */
    full?: (limit: string) => string;
  };
  icon: ReactElement;
  list: Listed<Item>;
  used: number;
  /** How many an account may have. */
  limit: number;
  mayCreate: boolean;
  onCreate: () => void;
  /** Above the list. */
  notice?: ReactNode;
  /** The row of an item. */
  children: (item: Item) => ReactNode;
}

/** A section that lists what an account may have a limited number of. */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const { section, words, icon, list, used, limit, mayCreate, onCreate, notice, children } = props;
  const { lead, create, empty, count, full } = words;
  const createButton = (
    <Button kind="primary" disabled={!mayCreate || used >= limit} onClick={onCreate}>
      <Plus size={18} aria-hidden />
      {create}
    </Button>
  );
  return (
    <>
      <SettingsHeader
        title={texts.settings.sections[section]}
        lead={lead}
        actions={list.items?.length === 0 ? undefined : createButton}
      />
      {notice}
      <ListOf
        list={list}
        empty={
          <Card>
            <EmptyState icon={icon} title={empty.title} action={createButton} text={empty.text} />
          </Card>
        }
      >
        {(items) => (
          <>
            <p className="tabular mb-3 text-sm text-soft">
              {full !== undefined && used >= limit
                ? full(formatCount(limit))
                : count(formatCount(used), formatCount(limit))}
            </p>
            <Card>
              <ul className="divide-y divide-line">{items.map(children)}</ul>
            </Card>
          </>
        )}
      </ListOf>
    </>
  );
}
