import { cx } from "#dashboard/lib/class-names.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Checkbox, InputField, Options, SelectField } from "#dashboard/ui/field.tsx";
import { useLinkForm } from "./form.ts";
import { useLinkDefaults } from "./queries.ts";
import { MAX_EXTERNAL_ID_CHARS } from "#src/links/limits.ts";

const STATUSES = [301, 302, 307, 308] as const;
/** What the API takes without a default of the account. */
const USUAL_STATUS = 302;
const words = texts.editor.more;

export function MoreGroup() {
  const { draft, change, errorAt, base } = useLinkForm();
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <RedirectField />
        <InputField
          label={words.externalId}
          hint={words.externalIdHint}
          error={errorAt("externalId", words.externalId)}
          autoComplete="off"
          maxLength={MAX_EXTERNAL_ID_CHARS}
          value={draft.externalId}
          onValue={(value) => change({ externalId: value })}
        />
      </div>
      {base !== null && base.aliases.length > 0 && <AliasFields />}
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {(["archived", "disabled"] as const).map((name) => (
          <Checkbox
            key={name}
            label={words[name]}
            hint={words[`${name}Hint`]}
            checked={draft[name]}
            onChange={(event) => change({ [name]: event.target.checked })}
          />
        ))}
      </div>
    </>
  );
}

function RedirectField() {
  const { draft, change, errorAt, isNew } = useLinkForm();
  const usual = useLinkDefaults()?.redirectStatus ?? USUAL_STATUS;
  const chosen = draft.redirectStatus === "" ? usual : Number(draft.redirectStatus);
  const isPermanent = chosen === 301 || chosen === 308;
  return (
    <SelectField
      label={words.redirectStatus}
      error={errorAt("redirectStatus", words.redirectStatus)}
      {...(isPermanent && { hint: words.permanent })}
      value={draft.redirectStatus}
      onValue={(value) => change({ redirectStatus: value })}
    >
      {isNew && <option value="">{words.usual(usual)}</option>}
      <Options values={STATUSES} nameOf={(status) => texts.linkDetails.redirects[status]} />
    </SelectField>
  );
}

function AliasFields() {
  const { draft, change, base, errorAt } = useLinkForm();
  const error = errorAt("aliases", words.aliases);
  const former = base?.aliases ?? [];
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">{words.aliases}</legend>
      <p className="mb-2 text-sm text-soft">{words.aliasesHint}</p>
      {error !== undefined && (
        <p role="alert" className="mb-2 text-sm text-bad">
          {error}
        </p>
      )}
      <ul className="grid grid-cols-1 gap-1">
        {former.map((slug) => {
          const isKept = draft.aliases.includes(slug);
          const others = draft.aliases.filter((each) => each !== slug);
          return (
            <li key={slug} className="flex items-center gap-3">
              <code className={cx("min-w-0 flex-1 truncate font-mono text-sm", !isKept && "text-soft line-through")}>
                {slug}
              </code>
              {!isKept && <span className="text-sm text-soft">{words.aliasRemoved}</span>}
              <Button
                size="small"
                kind="quiet"
                onClick={() =>
                  change({ aliases: isKept ? others : former.filter((each) => each === slug || others.includes(each)) })
                }
              >
                {isKept ? words.aliasRemove(slug) : words.aliasKeep(slug)}
              </Button>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
