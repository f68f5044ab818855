import { Check, LoaderCircle, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { MAX_SLUG_CHARS } from "#src/limits.ts";
import { ANY_SLUG_PATTERN, isNested } from "#src/platform/lib/slug.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { InputField, Options, SelectField } from "#dashboard/ui/field.tsx";
import { useLinkForm } from "./form.ts";
import { suggestSlug } from "./suggest-slug.ts";
import { useLinkDefaults, useSlugCheck, useVerifiedDomains } from "./queries.ts";

/** The host of the service's own short URLs. */
export const SERVICE_HOST = location.host;

/** The domain and the slug of the short URL. */
export function ShortUrlFields() {
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
      <DomainField />
      <SlugField />
    </div>
  );
}

function DomainField() {
  const { draft, change, errorAt, isNew, base } = useLinkForm();
  const domains = useVerifiedDomains();
  const usual = useUsualDomain();
  const { label, usual: usualLabel, loses } = texts.editor.domain;
  const hosts = [SERVICE_HOST, ...domains.map(({ domain }) => domain)];
  if (draft.domain !== "" && !hosts.includes(draft.domain)) hosts.push(draft.domain);
  const names = new Map(domains.map(({ domain, unicodeDomain }) => [domain, unicodeDomain]));
  const isMoved = base !== null && draft.domain !== base.domain && draft.aliases.length > 0;
  return (
    <SelectField
      label={label}
      error={errorAt("domain", label)}
      {...(isMoved && { hint: loses })}
      value={draft.domain}
      onValue={(value) => change({ domain: value })}
    >
      {isNew && <option value="">{usualLabel(names.get(usual) ?? usual)}</option>}
      <Options values={hosts.filter((host) => !isNew || host !== usual)} nameOf={(host) => names.get(host) ?? host} />
    </SelectField>
  );
}

/** The domain of links that name none. */
function useUsualDomain(): string {
  return useLinkDefaults()?.domain ?? SERVICE_HOST;
}

/** The host that the short URL will have. */
export function useChosenDomain(): string {
  const usual = useUsualDomain();
  const { domain } = useLinkForm().draft;
  return domain === "" ? usual : domain;
}

function SlugField() {
  const { draft, change, errorAt, base } = useLinkForm();
  const { label, placeholder } = texts.editor.slug;
  const { error, hint } = useSlugState();
  return (
    <InputField
      label={label}
      error={errorAt("slug", label) ?? error}
      hint={hint}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={MAX_SLUG_CHARS}
      placeholder={base === null ? placeholder : undefined}
      value={draft.slug}
      onValue={(value) => change({ slug: value })}
    />
  );
}

interface SlugState {
  error?: ReactNode;
  hint?: ReactNode;
}

/** What the check of the slug says. */
function useSlugState(): SlugState {
  const { draft, base } = useLinkForm();
  const domain = useChosenDomain();
  const nestedDomains = useVerifiedDomains().filter(({ nestedSlugs }) => nestedSlugs);
  const slug = draft.slug.trim();
  const isOwn = base !== null && slug === base.slug && domain === base.domain;
  const isPossible = !isNested(slug) || nestedDomains.some((each) => each.domain === domain);
  const isValid = ANY_SLUG_PATTERN.test(slug) && isPossible;
  const { check, isChecking } = useSlugCheck(slug, domain, isValid && !isOwn);
  const words = texts.editor.slug;
  if (slug === "")
    return base === null ? { hint: <Suggestion text={words.random} slug={suggestSlug(draft.title)} /> } : {};
  if (!isPossible) return { error: words.nested };
  if (!isValid) return { error: texts.editor.fault(words.label, words.form(MAX_SLUG_CHARS)) };
  if (isOwn) return {};
  if (check === undefined)
    return isChecking ? { hint: <State icon={<LoaderCircle size={16} aria-hidden />}>{words.checking}</State> } : {};
  if (check.reason === "own" && check.linkId === base?.id) return { hint: words.same };
  if (check.reason === "deleted")
    return {
      hint: <State icon={<TriangleAlert size={16} className="text-warn" aria-hidden />}>{words.deleted}</State>,
    };
  if (check.available) {
    const former = base !== null && domain === base.domain ? ` ${words.former(base.slug)}` : "";
    return {
      hint: <State icon={<Check size={16} className="text-good" aria-hidden />}>{words.free(slug) + former}</State>,
    };
  }
  return { error: <Suggestion text={words[check.reason ?? "taken"]} slug={check.suggestion ?? ""} /> };
}

/** A text with a button that takes the slug, if there is one. */
function Suggestion({ text, slug }: { text: string; slug: string }) {
  const { change } = useLinkForm();
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {text}
      {slug !== "" && (
        <Button size="small" onClick={() => change({ slug })}>
          {texts.editor.slug.use(slug)}
        </Button>
      )}
    </span>
  );
}

function State({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex items-start gap-1.5">
      <span className="mt-0.5 shrink-0">{icon}</span>
      <span className="min-w-0 break-words">{children}</span>
    </span>
  );
}
