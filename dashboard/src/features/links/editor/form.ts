import { useMutation } from "@tanstack/react-query";
import { createContext, use, useRef, useState } from "react";
import { ApiError, call } from "#dashboard/api/client.ts";
import type { Link } from "#dashboard/api/types.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { differences, draftOf, duplicateOf, emptyDraft, mergeDrafts, toCreateRequest } from "./draft.ts";
import { toUndoRequest, toUpdateRequest, type Draft, type FieldName, type Merge } from "./draft.ts";
import { faultsOf, isWithin, missingIn, type Fault } from "./errors.ts";
import { announceCreated, announceUpdated, createLink, updateLink } from "./save.ts";
import { draftName, forgetDraft, readDraft, storeDraft, type StoredDraft } from "./stored-drafts.ts";

export type Target =
  /** `given`: values of the new link by the names of {@link GIVEN}, and others. */
  | { kind: "create"; given?: Record<string, unknown> }
  | { kind: "edit"; link: Link }
  | { kind: "duplicate"; link: Link };

/** A newer state of the link, which somebody else has saved. */
export interface Conflict extends Merge {
  newer: Link;
}

export type LinkForm = ReturnType<typeof useNewForm>;

export const FormContext = createContext<LinkForm | null>(null);

/** The form of the editor around the component. */
export function useLinkForm(): LinkForm {
  const form = use(FormContext);
  if (form === null) throw new Error("There is no form around this component.");
  return form;
}

interface Start extends StoredDraft {
  /** Whether the values come from an earlier visit. */
  isRestored: boolean;
  /** The draft of another new link, which the first change replaces. */
  other: StoredDraft | null;
  /** What this form has stored of its draft; null for nothing. */
  text: string | null;
}

function startOf(target: Target, stored: ReturnType<typeof readDraft>): Start {
  if (target.kind === "edit") {
    const base = { draft: draftOf(target.link), base: target.link, text: null };
    return { ...(stored ?? base), isRestored: stored !== null, other: null };
  }
  if (target.kind === "duplicate")
    return { draft: duplicateOf(target.link), base: null, isRestored: false, other: stored, text: null };
  const draft = startDraft(target);
  if (stored !== null && GIVEN.every((name) => draft[name] === "" || draft[name] === stored.draft[name]))
    return { ...stored, isRestored: true, other: null };
  return { draft, base: null, isRestored: false, other: stored, text: null };
}

/** What the address of the page can say of a new link. */
const GIVEN = ["url", "domain", "slug"] as const;

/** The state of the editor. */
export function useNewForm(target: Target, onClose: () => void) {
  const { account } = useSession();
  const name = draftName(account.id, target.kind === "edit" ? target.link.id : null);
  const [start, setStart] = useState(() => startOf(target, readDraft(name)));
  const [draft, setDraft] = useState(start.draft);
  const [base, setBase] = useState(start.base);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [refusals, setRefusals] = useState(0);
  const latest = useRef(draft);
  const stored = useRef(start.text);
  const idempotency = useRef({ request: "", key: "" });

  const forget = () => forgetDraft(name, stored.current);
  const replace = (next: Draft, nextBase: Link | null = base) => {
    latest.current = next;
    setDraft(next);
    setBase(nextBase);
    if (isSame(next, nextBase === null ? startDraft(target) : draftOf(nextBase))) forget();
    else stored.current = storeDraft(name, { draft: next, base: nextBase });
  };
  const change = (patch: Partial<Draft>) => {
    replace({ ...latest.current, ...patch });
    setFaults((former) => former.filter(({ path }) => !Object.keys(patch).some((field) => isWithin(path, field))));
  };
  const restart = (from: StoredDraft) => {
    setStart({ ...start, ...from, isRestored: false, other: null });
    setFaults([]);
    replace(from.draft, from.base);
  };

  const create = async () => {
    const request = toCreateRequest(latest.current);
    const text = JSON.stringify(request);
    // The same request again, after its response was lost, makes no second link.
    if (idempotency.current.request !== text) idempotency.current = { request: text, key: crypto.randomUUID() };
    const { link, isCopied } = await createLink(request, idempotency.current.key);
    const saved = latest.current;
    forget();
    announceCreated(link, isCopied, () => storeDraft(name, { draft: saved, base: null }));
  };
  const update = async (former: Link) => {
    const saved = latest.current;
    const request = toUpdateRequest(saved, draftOf(former));
    if (Object.keys(request).length > 0) {
      const link = await updateLink(former.id, request, former.updatedAt);
      announceUpdated(link, toUndoRequest(saved, former), {
        password: former.hasPassword && saved.password !== "",
        aliases: former.aliases.some((alias) => !saved.aliases.includes(alias)),
      });
    }
    forget();
  };
  const showConflict = async (former: Link) => {
    const { link: newer } = await call<{ link: Link }>("GET", `/api/links/${former.id}`);
    const merge = mergeDrafts(draftOf(former), latest.current, draftOf(newer));
    setConflict({ ...merge, newer });
  };
  const save = useMutation({
    mutationFn: async () => {
      const missing = missingIn(latest.current);
      setFaults(missing);
      if (missing.length > 0) return false;
      await (base === null ? create() : update(base));
      return true;
    },
    onSuccess: (isSaved) => {
      if (isSaved) onClose();
      else setRefusals((count) => count + 1);
    },
    onError: async (error) => {
      setFaults(faultsOf(error));
      if (base !== null && error instanceof ApiError && error.status === 412) await showConflict(base);
      setRefusals((count) => count + 1);
    },
  });

  /** Takes the newer state of the link, and in it my values of these fields. */
  const settle = ({ newer, draft: merged }: Conflict, mine: ReadonlySet<FieldName>) => {
    const values = draftOf(newer);
    const both = conflict?.both ?? [];
    const dropped = both.filter((field) => !mine.has(field)).map((field) => [field, values[field]]);
    replace({ ...merged, ...(Object.fromEntries(dropped) as Partial<Draft>) }, newer);
    setConflict(null);
    save.reset();
  };

  const initial = base === null ? startDraft(target) : draftOf(base);
  const errorsIn = (field: string) => faults.filter(({ path }) => isWithin(path, field));
  return {
    target,
    draft,
    change,
    /** The link as the form began with it; null for a new one. */
    base,
    isNew: base === null,
    isChanged: !isSame(draft, initial),
    isRestored: start.isRestored,
    other: start.other,
    continueOther: () => start.other !== null && restart(start.other),
    startAgain: () => {
      const newest = target.kind === "edit" ? newerOf(target.link, base) : null;
      restart({ draft: newest === null ? startDraft(target) : draftOf(newest), base: newest });
    },
    forget,
    errorsIn,
    /** The error of exactly this field, as a sentence. */
    errorAt: (path: string, label: string) => {
      const fault = faults.find((each) => each.path === path);
      return fault && (fault.isSentence ? fault.message : texts.editor.fault(label, fault.message));
    },
    faults,
    conflict,
    settle,
    save,
    /** How often a save was refused or has failed. */
    refusals,
  };
}

function isSame(draft: Draft, other: Draft): boolean {
  return differences(draft, other).length === 0;
}

function newerOf(link: Link, other: Link | null): Link {
  return other !== null && other.updatedAt > link.updatedAt ? other : link;
}

function startDraft(target: Target): Draft {
  if (target.kind === "create") {
    const texts = GIVEN.map((name) => [name, target.given?.[name]] as const);
    return { ...emptyDraft(), ...Object.fromEntries(texts.filter(([, text]) => typeof text === "string")) };
  }
  return target.kind === "edit" ? draftOf(target.link) : duplicateOf(target.link);
}
