import { ClipboardPaste } from "lucide-react";
import { useLayoutEffect, useRef, type RefObject } from "react";
import { flushSync } from "react-dom";
import { destinationError, withScheme } from "#src/links/destination-url.ts";
import { MAX_TAGS_PER_LINK, MAX_TITLE_CHARS, MAX_URL_CHARS } from "#src/limits.ts";
import type { Link } from "#dashboard/api/types.ts";
import { copyText, readAllowedClipboard, readClipboard } from "#dashboard/lib/clipboard.ts";
import { withoutScheme } from "#dashboard/lib/urls.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Field, Input, InputField } from "#dashboard/ui/field.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { TagTokens } from "../tag-tokens.tsx";
import { useLinkForm } from "./form.ts";
import { useDuplicates, useLinkDefaults } from "./queries.ts";
import { ShortUrlFields } from "./short-url-fields.tsx";

/** The fields that most links are made with. */
export function MainFields({ onClose }: { onClose: () => void }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <DestinationField onClose={onClose} />
      <ShortUrlFields />
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <TagsField />
        <TitleField />
      </div>
    </div>
  );
}

function DestinationField({ onClose }: { onClose: () => void }) {
  const { draft, change, errorAt, isNew, base } = useLinkForm();
  const { label, placeholder, paste } = texts.editor.destination;
  const field = useRef<HTMLInputElement>(null);
  usePastedDestination(field);
  const pasteNow = async () => {
    const text = await readClipboard();
    if (text !== null && text.trim() !== "") change({ url: text.trim() });
  };
  const isLong = draft.url.length > MAX_URL_CHARS * 0.9;
  return (
    <div>
      <Field
        label={label}
        error={errorAt("url", label) ?? errorAt("utm", label)}
        {...(isLong && { aside: texts.editor.left(MAX_URL_CHARS - draft.url.length) })}
      >
        {(control) => (
          <div className="relative">
            <Input
              {...control}
              ref={field}
              autoFocus={isNew}
              data-first-field=""
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={placeholder}
              className={draft.url === "" ? "pe-24" : ""}
              value={draft.url}
              onChange={(event) => change({ url: event.target.value })}
            />
            {draft.url === "" && (
              <Button size="small" kind="quiet" className="absolute top-1 inset-e-1" onClick={() => void pasteNow()}>
                <ClipboardPaste size={16} aria-hidden />
                {paste}
              </Button>
            )}
          </div>
        )}
      </Field>
      {draft.url !== base?.url && <DuplicatesNotice onClose={onClose} />}
    </div>
  );
}

/**
 * Fills in the URL of the clipboard when a new link is begun, if the browser allows it without asking. A URL that the person
 * has not typed is selected, so that pasting or typing replaces it.
 */
function usePastedDestination(field: RefObject<HTMLInputElement | null>): void {
  const { draft, change, isNew } = useLinkForm();
  useLayoutEffect(() => {
    let isCurrent = true;
    const paste = async () => {
      const url = (await readAllowedClipboard())?.trim() ?? "";
      // The person may have typed or pasted something in the meantime.
      if (!isCurrent || field.current?.value !== "" || !isForeignUrl(url)) return;
      flushSync(() => change({ url }));
      field.current.select();
    };
    if (isNew && draft.url === "") void paste();
    else if (isNew) field.current?.select();
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the form opens
  }, []);
}

/** Not the short URL that was copied a moment ago. */
function isForeignUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && destinationError(text) === null && new URL(text).host !== location.host;
}

function DuplicatesNotice({ onClose }: { onClose: () => void }) {
  const { draft, base, forget } = useLinkForm();
  const links = useDuplicates(draft.url, base?.id);
  const { title, use, used } = texts.editor.duplicates;
  if (links.length === 0) return null;
  const takeExisting = async (shortUrl: string) => {
    const isCopied = await copyText(shortUrl);
    if (base === null) forget();
    onClose();
    showToast(
      isCopied
        ? { title: used(withoutScheme(shortUrl)) }
        : { kind: "problem", title: texts.ui.copyRefused, text: shortUrl },
    );
  };
  return (
    <Notice className="mt-2 py-3!" title={title(links.length)}>
      <ul className="mt-1 grid gap-1">
        {links.map(({ id, shortUrl, title: name }) => (
          <li key={id} className="flex items-center justify-between gap-3">
            <span className="min-w-0 truncate">
              {withoutScheme(shortUrl)}
              {name !== null && <span className="text-soft"> · {name}</span>}
            </span>
            <Button size="small" onClick={() => void takeExisting(shortUrl)}>
              {use}
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function TagsField() {
  const { draft, change, errorsIn, errorAt } = useLinkForm();
  const defaults = useLinkDefaults();
  const { label, placeholder } = texts.editor.tags;
  const values = draft.tags ?? defaults?.tags ?? [];
  const isDefault = draft.tags === null && values.length > 0;
  return (
    <TagTokens
      label={label}
      error={errorAt(errorsIn("tags")[0]?.path ?? "tags", label)}
      {...(isDefault && { hint: texts.editor.fromDefaults })}
      {...(values.length > MAX_TAGS_PER_LINK - 5 && { aside: texts.editor.left(MAX_TAGS_PER_LINK - values.length) })}
      values={values}
      max={MAX_TAGS_PER_LINK}
      placeholder={placeholder}
      onChange={(tags) => change({ tags })}
    />
  );
}

function TitleField() {
  const { draft, change, errorAt } = useLinkForm();
  const page = useFoundPage();
  const { label, placeholder, suggested, use, takeTitle } = texts.editor.titleField;
  const suggestion = draft.title.trim() === "" ? (page?.title ?? null) : null;
  return (
    <div>
      <InputField
        label={label}
        error={errorAt("title", label)}
        autoComplete="off"
        dir="auto"
        maxLength={MAX_TITLE_CHARS}
        placeholder={placeholder}
        value={draft.title}
        onValue={(value) => change({ title: value })}
      />
      {suggestion !== null && (
        <p className="mt-1.5 flex items-center justify-between gap-3 text-sm text-soft">
          <span className="min-w-0 truncate" title={suggestion}>
            {suggested} <bdi>{suggestion}</bdi>
          </span>
          <Button size="small" aria-label={takeTitle(suggestion)} onClick={() => change({ title: suggestion })}>
            {use}
          </Button>
        </p>
      )}
    </div>
  );
}

/** What the service found at the destination; null if it did not visit it, or if the destination is another one now. */
export function useFoundPage(): Link["destination"] {
  const { base } = useLinkForm();
  const destination = useDestination();
  return base !== null && base.url === destination ? base.destination : null;
}

/** The destination as it will be stored, for other parts of the form. */
export function useDestination(): string {
  return withScheme(useLinkForm().draft.url.trim());
}
