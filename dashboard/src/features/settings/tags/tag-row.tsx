import { Link } from "@tanstack/react-router";
import type { Job } from "#src/links/tags/job-contract.ts";
import { TAG_COLORS, type TagColor } from "#src/links/tags/colors.ts";
import type { Tag } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { IconButton } from "#dashboard/ui/button.tsx";
import { Menu, MenuChoice } from "#dashboard/ui/menu.tsx";
import { TagDot } from "#dashboard/ui/tag-dot.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { setColor } from "./queries.ts";
import { DeleteButton, EditButton } from "#dashboard/ui/row-buttons.tsx";

const words = texts.tagList;

interface TagRowProps {
  tag: Tag;
  mayChange: boolean;
  /** The job that changes the tag now. */
  job: Job | undefined;
  onRename: () => void;
  onRemove: () => void;
}

/** A tag with its colour, its number of links, and what can be done with it. */
export function TagRow({ tag, mayChange, job, onRename, onRemove }: TagRowProps) {
  const { name, links } = tag;
  const isFixed = !mayChange || job !== undefined;
  return (
    <li className="flex items-center gap-2 py-2 pe-3 ps-3">
      <ColorMenu tag={tag} disabled={isFixed} />
      <span dir="auto" title={name} className="min-w-0 truncate font-semibold">
        {name}
      </span>
      <span className="ms-auto shrink-0 text-end text-sm text-soft">
        {job === undefined ? (
          <Link
            to="/links"
            search={{ tags: [name], archived: "include" }}
            className="tabular rounded-control hover:text-accent-strong hover:underline"
          >
            {words.links(links)}
          </Link>
        ) : (
          <span role="status" className="tabular">
            {words.progress(job.done, job.total)}
          </span>
        )}
      </span>
      <EditButton label={words.renameOf(name)} disabled={isFixed} onClick={onRename} />
      <DeleteButton label={`${texts.settings.delete}: ${name}`} disabled={isFixed} onClick={onRemove} />
    </li>
  );
}

function ColorMenu({ tag: { name, color }, disabled }: { tag: Tag; disabled: boolean }) {
  const label = words.colorOf(name, words.colors[color ?? "none"]);
  return (
    <Menu
      align="start"
      trigger={<IconButton label={label} icon={<TagDot color={color} keepsPlace />} size="small" disabled={disabled} />}
    >
      {[null, ...TAG_COLORS].map((choice) => (
        <MenuChoice
          key={choice ?? "none"}
          checked={choice === color}
          onSelect={() => void changeColor(name, color, choice).catch(showProblem)}
        >
          <span className="flex items-center gap-2">
            <TagDot color={choice} keepsPlace />
            {words.colors[choice ?? "none"]}
          </span>
        </MenuChoice>
      ))}
    </Menu>
  );
}

async function changeColor(name: string, before: TagColor | null, color: TagColor | null): Promise<void> {
  if (color === before) return;
  await setColor(name, color);
  showChange(words.colored(name), () => setColor(name, before));
}
