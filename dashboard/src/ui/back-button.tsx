import { ArrowLeft } from "lucide-react";
import { Slot } from "radix-ui";
import type { ReactElement } from "react";
import { Button } from "./button.tsx";

/** Above the heading of one thing: makes its only child, a link, lead back to the list. */
export function BackButton({ children }: { children: ReactElement }) {
  return (
    <Button asChild kind="quiet" size="small" className="-ms-2.5 mb-2 text-soft">
      <ArrowLeft size={16} aria-hidden />
      <Slot.Slottable>{children}</Slot.Slottable>
    </Button>
  );
}
