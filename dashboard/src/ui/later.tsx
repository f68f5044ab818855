import { useEffect, useState, type ReactNode } from "react";
import { inOwnTask } from "../lib/own-task.ts";

/**
 * Renders its children in a task of their own, after the parts before them, and until then the placeholder. A page whose parts
 * are rendered in one task answers nobody until it is complete, on a phone for a large part of a second.
 */
export function Later({ placeholder = null, children }: { placeholder?: ReactNode; children: ReactNode }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => inOwnTask(() => setDue(true)), []);
  return isDue ? children : placeholder;
}
