import { useState } from "react";
import type { Link } from "../../api/types.ts";

interface State {
  /** The list that the selection belongs to. */
  list: string | null;
  ids: ReadonlySet<string>;
  /** All links that match, also those that are not loaded. */
  all: boolean;
  /** Where a range begins. */
  anchor: string | null;
}

export interface Selection {
  /** The selected links that are loaded. */
  links: readonly Link[];
  all: boolean;
  has: (id: string) => boolean;
  /** Selects or unselects a link, or with `range` selects all links from the last one to it. */
  toggle: (id: string, range?: boolean) => void;
  selectLoaded: () => void;
  selectAll: () => void;
  clear: () => void;
}

/** The selected links of a list. Another list begins without any. Without a list (null), none can be selected. */
export function useSelection(links: readonly Link[], list: string | null): Selection {
  const none: State = { list, ids: new Set(), all: false, anchor: null };
  const [stored, store] = useState(none);
  const state = stored.list === list ? stored : none;
  const setState = (next: State) => list !== null && store(next);
  const loaded = () => new Set(links.map(({ id }) => id));
  const toggle = (id: string, range = false) => {
    const ids = state.all ? loaded() : new Set(state.ids);
    const [from, to] = [indexOf(links, state.anchor), indexOf(links, id)].toSorted((a, b) => a - b);
    if (range && from !== undefined && from >= 0)
      for (const link of links.slice(from, (to ?? from) + 1)) ids.add(link.id);
    else if (!ids.delete(id)) ids.add(id);
    setState({ list, ids, all: false, anchor: id });
  };
  return {
    links: state.all ? links : links.filter(({ id }) => state.ids.has(id)),
    all: state.all,
    has: (id) => state.all || state.ids.has(id),
    toggle,
    selectLoaded: () => setState({ ...state, ids: loaded(), all: false }),
    selectAll: () => setState({ ...state, ids: loaded(), all: true }),
    clear: () => setState(none),
  };
}

function indexOf(links: readonly Link[], id: string | null): number {
  return links.findIndex((link) => link.id === id);
}
