import type { ReactNode } from "react";
import { cx } from "../lib/class-names.ts";

/** The head of a column of a table. */
export function ColumnHead({ className, children }: { className: string; children: ReactNode }) {
  return (
    <th scope="col" className={cx("font-semibold", className)}>
      {children}
    </th>
  );
}
