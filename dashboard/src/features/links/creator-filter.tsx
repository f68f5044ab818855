import { MAX_FILTER_CREATORS } from "#src/links/limits.ts";
import { texts } from "../../texts/index.ts";
import { Checkbox } from "../../ui/field.tsx";
import { nameOfCreator, useCreatorChoices, useCreators } from "./creators.ts";
import { LeftOut } from "./left-out.tsx";
import { withoutMark, type LinksView } from "./view.ts";

/** The members and the keys of the account, and those that created links that were shown. */
export function CreatorFilter({
  view,
  onChange,
}: {
  view: LinksView;
  onChange: (changes: Partial<LinksView>) => void;
}) {
  const { filter } = texts.linkList;
  const creators = useCreators();
  useCreatorChoices(true);
  const chosen = view.createdBy.map(withoutMark);
  const ids = [...new Set([...Object.keys(creators), ...chosen])];
  if (ids.length === 0) return null;
  const nameOf = (id: string) => nameOfCreator(creators, id);
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">{filter.creator}</legend>
      <div className="grid max-h-32 gap-1 overflow-y-auto" tabIndex={-1}>
        {ids.map((id) => (
          <Checkbox
            key={id}
            label={nameOf(id)}
            checked={chosen.includes(id)}
            disabled={chosen.length >= MAX_FILTER_CREATORS && !chosen.includes(id)}
            onChange={({ target }) =>
              onChange({
                createdBy: target.checked
                  ? [...view.createdBy, id]
                  : view.createdBy.filter((each) => withoutMark(each) !== id),
              })
            }
          />
        ))}
      </div>
      <LeftOut
        values={view.createdBy}
        nameOf={nameOf}
        labelOf={(id) => filter.createdBy(nameOf(id))}
        words={{ with: filter.is, without: filter.isNot }}
        onChange={(createdBy) => onChange({ createdBy })}
      />
    </fieldset>
  );
}
