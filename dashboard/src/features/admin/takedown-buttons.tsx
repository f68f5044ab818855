import { useMutation } from "@tanstack/react-query";
import { Button } from "../../ui/button.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { reverseTakedown } from "./queries.ts";
import { consoleTexts } from "./texts.ts";

export function TakeDownButton({ onClick }: { onClick: () => void }) {
  return (
    <Button size="small" kind="caution" onClick={onClick}>
      {consoleTexts.report.takeDown}
    </Button>
  );
}

/** Reverses the takedown with this id, of what has this name. */
export function ReverseButton({ id, name }: { id: string; name: string }) {
  const { reverse: label, wasReversed } = consoleTexts.takedown;
  const reverse = useMutation({
    mutationFn: () => reverseTakedown(id),
    onSuccess: () => showChange(wasReversed(name)),
    onError: showProblem,
  });
  return (
    <Button size="small" busy={reverse.isPending} onClick={() => reverse.mutate()}>
      {label}
    </Button>
  );
}
