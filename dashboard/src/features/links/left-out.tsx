import { NOT } from "#src/links/not.ts";
import { Segments } from "../../ui/field.tsx";
import { isLeftOut, withoutMark } from "./view.ts";

/** For each value that is chosen, whether links must have it or must not. */
export function LeftOut({
  values,
  nameOf,
  labelOf,
  words,
  onChange,
}: {
  /** Those with the mark in front must be missing. */
  values: readonly string[];
  nameOf: (value: string) => string;
  labelOf: (value: string) => string;
  words: { with: string; without: string };
  onChange: (values: string[]) => void;
}) {
  return values.map((value) => (
    <div key={withoutMark(value)} className="mt-2 flex items-center gap-2">
      <span dir="auto" className="min-w-0 flex-1 truncate text-sm">
        {nameOf(withoutMark(value))}
      </span>
      <Segments
        label={labelOf(withoutMark(value))}
        value={isLeftOut(value) ? "without" : "with"}
        options={[
          { value: "with", label: words.with },
          { value: "without", label: words.without },
        ]}
        onChange={(how) => {
          const chosen = how === "with" ? withoutMark(value) : NOT + withoutMark(value);
          onChange(values.map((other) => (other === value ? chosen : other)));
        }}
      />
    </div>
  ));
}
