import { Plus } from "lucide-react";
import { useState } from "react";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { newKey, type RuleDraft } from "./draft.ts";
import { useLinkForm } from "./form.ts";
import { RuleCard } from "./rule-card.tsx";
import { MAX_RULES_PER_LINK } from "#src/links/limits.ts";

const words = texts.editor.rules;

/** The rules in their order, which can be changed by dragging and by the arrow keys. */
export function RulesGroup() {
  const { draft, change, errorAt } = useLinkForm();
  const [announcement, setAnnouncement] = useState("");
  const { rules } = draft;
  const general = errorAt("rules", words.rule(0));
  const move = (key: string, to: number) => {
    const from = rules.findIndex((rule) => rule.key === key);
    const moved = rules[from];
    if (moved === undefined || to < 0 || to >= rules.length || to === from) return;
    change({ rules: rules.toSpliced(from, 1).toSpliced(to, 0, moved) });
    setAnnouncement(words.moved(to + 1, rules.length));
  };
  const replace = (key: string, next: RuleDraft | null) =>
    change({ rules: rules.flatMap((rule) => (rule.key !== key ? [rule] : next === null ? [] : [next])) });
  return (
    <>
      <p className="text-sm text-soft">{words.lead}</p>
      {general !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {general}
        </p>
      )}
      {rules.length > 0 && (
        <ol className="grid grid-cols-1 gap-3">
          {rules.map((rule, index) => (
            <RuleCard
              key={rule.key}
              rule={rule}
              index={index}
              count={rules.length}
              onMove={(to) => move(rule.key, to)}
              onChange={(next) => replace(rule.key, next)}
            />
          ))}
        </ol>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {rules.length < MAX_RULES_PER_LINK ? (
        <div>
          <Button size="small" onClick={() => change({ rules: [...rules, { key: newKey(), url: "" }] })}>
            <Plus size={16} aria-hidden />
            {words.add}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-soft">{words.full(MAX_RULES_PER_LINK)}</p>
      )}
    </>
  );
}
