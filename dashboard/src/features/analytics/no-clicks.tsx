import { Link } from "@tanstack/react-router";
import { MousePointerClick } from "lucide-react";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Card, EmptyState } from "../../ui/layout.tsx";
import type { Source } from "./source.ts";

const { none } = texts.analytics;

/** Stands in place of all numbers as long as there never was a click. */
export function NoClicks({ source }: { source: Source }) {
  return (
    <Card>
      <EmptyState
        icon={<MousePointerClick aria-hidden />}
        title={none.title}
        action={
          source.kind === "account" && (
            <Button kind="primary" asChild>
              <Link to="/links">{none.action}</Link>
            </Button>
          )
        }
      >
        {source.kind === "account" ? none.ofAccount : none.ofLink}
      </EmptyState>
    </Card>
  );
}
