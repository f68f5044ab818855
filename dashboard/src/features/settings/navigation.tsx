import { Link } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuLabel } from "../../ui/menu.tsx";
import type { SettingsSection } from "./sections.tsx";

interface Props {
  sections: readonly SettingsSection[];
  current: SettingsSection | undefined;
}

/** The list of sections: beside them on wide windows, else in a menu. */
export function SettingsNavigation({ sections, current }: Props) {
  const { account } = useSession();
  const { groups, navigation } = texts.settings;
  return (
    <nav aria-label={navigation} className="mb-5 xl:mb-0">
      <div className="xl:hidden">
        <SectionMenu sections={sections} current={current} />
      </div>
      <div className="sticky top-6 hidden gap-6 xl:grid">
        {(["person", "account"] as const).map((group) => (
          <div key={group}>
            <h2 className="mb-1.5 truncate px-3 text-sm font-semibold text-soft">
              {group === "person" ? groups.person : groups.account(account.name)}
            </h2>
            <ul className="grid gap-0.5">
              {sections
                .filter((section) => section.group === group)
                .map((section) => (
                  <li key={section.name}>
                    <SectionLink section={section} isCurrent={section === current} />
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}

function SectionLink({ section, isCurrent }: { section: SettingsSection; isCurrent: boolean }) {
  return (
    <Link
      to="/settings/$section"
      params={{ section: section.name }}
      aria-current={isCurrent ? "page" : undefined}
      className="flex items-center gap-2.5 rounded-control px-3 py-1.5 font-semibold text-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-wash aria-[current=page]:text-accent-strong"
    >
      {section.icon}
      {texts.settings.sections[section.name]}
    </Link>
  );
}

function SectionMenu({ sections, current }: Props) {
  const { account } = useSession();
  const { groups, section: label } = texts.settings;
  return (
    <Menu
      align="start"
      trigger={
        <Button className="w-full justify-between! sm:w-72">
          <span className="flex min-w-0 items-center gap-2.5">
            {current?.icon}
            <span className="sr-only">{label}: </span>
            <span className="truncate">
              {current === undefined ? texts.settings.title : texts.settings.sections[current.name]}
            </span>
          </span>
          <ChevronDown size={16} aria-hidden />
        </Button>
      }
    >
      {(["person", "account"] as const).map((group) => (
        <div key={group}>
          <MenuLabel>{group === "person" ? groups.person : groups.account(account.name)}</MenuLabel>
          {sections
            .filter((section) => section.group === group)
            .map(({ name, icon }) => (
              <MenuItem key={name} asChild>
                <Link to="/settings/$section" params={{ section: name }}>
                  {icon}
                  {texts.settings.sections[name]}
                </Link>
              </MenuItem>
            ))}
        </div>
      ))}
    </Menu>
  );
}
