import { useMutation, useQuery } from "@tanstack/react-query";
import { MAX_TAGS_PER_LINK } from "#src/limits.ts";
import { useState } from "react";
import { verifiedDomainsQuery } from "#dashboard/api/resources.ts";
import type { Account } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Options, SelectField } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { SaveForm } from "../save-form.tsx";
import { TagTokens } from "../../links/tag-tokens.tsx";
import { updateAccount } from "./update-account.ts";

type Defaults = NonNullable<Account["linkDefaults"]>;

const STATUSES = [301, 302, 307, 308] as const;

/** What new links get if nothing else is chosen. */
export function DefaultsForm({ account, mayChange }: { account: Account; mayChange: boolean }) {
  const { title, lead, domain, serviceDomain, status, noStatus, statuses, tags, saved } =
    texts.settings.general.defaults;
  const [defaults, setDefaults] = useState<Defaults>(account.linkDefaults ?? {});
  const { data: usable = [] } = useQuery(verifiedDomainsQuery);
  const save = useMutation({
    mutationFn: async () => {
      await updateAccount({ linkDefaults: withoutEmpty(defaults) });
      showChange(saved, async () => {
        await updateAccount({ linkDefaults: account.linkDefaults });
        setDefaults(account.linkDefaults ?? {});
      });
    },
  });
  const isChanged = JSON.stringify(withoutEmpty(defaults)) !== JSON.stringify(withoutEmpty(account.linkDefaults ?? {}));
  const change = (changes: { [Name in keyof Defaults]: Defaults[Name] | undefined }) =>
    setDefaults({ ...defaults, ...changes });
  return (
    <SaveForm title={title} lead={lead} save={save} error={save.error} isChanged={isChanged} maySave={mayChange}>
      <div className="grid gap-4 md:grid-cols-2">
        <SelectField
          label={domain}
          error={fieldError(save.error, "linkDefaults.domain")}
          disabled={!mayChange}
          value={defaults.domain ?? ""}
          onValue={(value) => change({ domain: value || undefined })}
        >
          <option value="">{serviceDomain(location.host)}</option>
          {usable.map((each) => (
            <option key={each.id} value={each.domain}>
              {each.unicodeDomain}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={status}
          error={fieldError(save.error, "linkDefaults.redirectStatus")}
          disabled={!mayChange}
          value={defaults.redirectStatus ?? ""}
          onValue={(value) => change({ redirectStatus: STATUSES.find((each) => String(each) === value) })}
        >
          <option value="">{noStatus}</option>
          <Options values={STATUSES} nameOf={(each) => statuses[each]} />
        </SelectField>
      </div>
      <TagTokens
        label={tags}
        hint={texts.settings.tags.hint(MAX_TAGS_PER_LINK)}
        max={MAX_TAGS_PER_LINK}
        disabled={!mayChange}
        values={defaults.tags ?? []}
        error={fieldError(save.error, "linkDefaults.tags")}
        onChange={(value) => change({ tags: value })}
      />
    </SaveForm>
  );
}

/** The defaults that are set, in one order; null without any. */
function withoutEmpty({ domain, redirectStatus, tags = [] }: Defaults): Defaults | null {
  const defaults = {
    ...(domain !== undefined && { domain }),
    ...(redirectStatus !== undefined && { redirectStatus }),
    ...(tags.length > 0 && { tags }),
  };
  return Object.keys(defaults).length === 0 ? null : defaults;
}
