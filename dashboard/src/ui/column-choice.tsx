import { cx } from "../lib/class-names.ts";
import { Checkbox } from "./field.tsx";

/** Chooses the columns of a list. */
export function ColumnChoice<Column extends string>({
  label,
  all,
  chosen,
  nameOf,
  onChange,
  className,
}: {
  label: string;
  all: readonly Column[];
  chosen: readonly Column[];
  nameOf: (column: Column) => string;
  /** Gets the chosen columns in the order of all. */
  onChange: (chosen: Column[]) => void;
  className?: string;
}) {
  return (
    <fieldset className={cx("grid gap-1.5", className)}>
      {/* On phones, it is in a drawer whose title says the same. */}
      <legend className="mb-1.5 font-semibold max-md:sr-only">{label}</legend>
      {all.map((column) => (
        <Checkbox
          key={column}
          label={nameOf(column)}
          checked={chosen.includes(column)}
          onChange={({ target }) =>
            onChange(all.filter((each) => (each === column ? target.checked : chosen.includes(each))))
          }
        />
      ))}
    </fieldset>
  );
}
