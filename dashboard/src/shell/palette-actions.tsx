import { useNavigate, type NavigateOptions } from "@tanstack/react-router";
import { BookOpen, Building2, Keyboard, LogOut, Palette as Colours, Plus, ShieldCheck, Trash2 } from "lucide-react";
import { SETTINGS_SECTIONS } from "../features/settings/sections.tsx";
import { useTheme } from "../lib/theme.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { usePages } from "./navigation.tsx";
import { PaletteGroup, PaletteItem } from "./palette-item.tsx";
import { useSignOut } from "./sign-out.ts";
import { useSwitchAccount } from "./use-switch-account.ts";

const ICON = { size: 18, "aria-hidden": true } as const;
const { shell } = texts;
const { groups } = shell.palette;

export interface PaletteActionsProps {
  onClose: () => void;
  onCreate: () => void;
  onShortcuts: () => void;
}

/** Everything in the palette but the links. */
export function PaletteActions({ onClose, onCreate, onShortcuts }: PaletteActionsProps) {
  const { can } = useSession();
  const navigate = useNavigate();
  const leave = useSignOut();
  const after = (run: () => void) => () => {
    onClose();
    run();
  };
  const go = (target: NavigateOptions) => after(() => void navigate(target));
  return (
    <>
      <PaletteGroup heading={groups.actions}>
        {can("links:write") && (
          <PaletteItem icon={<Plus {...ICON} />} onSelect={after(onCreate)}>
            {shell.createLink}
          </PaletteItem>
        )}
        <PaletteItem icon={<BookOpen {...ICON} />} onSelect={() => location.assign("/docs/reference")}>
          {shell.apiReference}
        </PaletteItem>
        <PaletteItem icon={<Keyboard {...ICON} />} onSelect={after(onShortcuts)}>
          {shell.shortcuts}
        </PaletteItem>
        <PaletteItem icon={<LogOut {...ICON} />} onSelect={after(leave)}>
          {shell.signOut}
        </PaletteItem>
      </PaletteGroup>
      <PalettePages go={go} />
      <PaletteAccounts after={after} />
      <PaletteThemes after={after} />
    </>
  );
}

const TABS = ["import", "export", "jobs"] as const;

function PalettePages({ go }: { go: (target: NavigateOptions) => () => void }) {
  const { can, isOperator } = useSession();
  const pages = usePages();
  const moving = pages.find(({ to }) => to === "/moving");
  return (
    <PaletteGroup heading={groups.pages}>
      {pages.map(({ to, label, icon }) => (
        <PaletteItem key={to} icon={icon} onSelect={go({ to })}>
          {label}
        </PaletteItem>
      ))}
      <PaletteItem icon={<Trash2 {...ICON} />} onSelect={go({ to: "/links", search: { status: "deleted" } })}>
        {shell.palette.deletedLinks}
      </PaletteItem>
      {isOperator && (
        <PaletteItem icon={<ShieldCheck {...ICON} />} onSelect={go({ to: "/admin" })}>
          {shell.pages.admin}
        </PaletteItem>
      )}
      {moving !== undefined &&
        TABS.map((kind) => (
          <PaletteItem key={kind} icon={moving.icon} onSelect={go({ to: "/moving/$kind", params: { kind } })}>
            {`${shell.pages.moving}: ${texts.moving.tabs[kind]}`}
          </PaletteItem>
        ))}
      {SETTINGS_SECTIONS.filter(({ permission }) => permission === undefined || can(permission)).map(
        ({ name, icon }) => (
          <PaletteItem key={name} icon={icon} onSelect={go({ to: "/settings/$section", params: { section: name } })}>
            {`${shell.pages.settings}: ${texts.settings.sections[name]}`}
          </PaletteItem>
        ),
      )}
    </PaletteGroup>
  );
}

type After = (run: () => void) => () => void;

function PaletteAccounts({ after }: { after: After }) {
  const { account, accounts } = useSession();
  const switchAccount = useSwitchAccount();
  const others = accounts.filter(({ id, deletesAt }) => id !== account.id && deletesAt === null);
  if (others.length === 0) return null;
  return (
    <PaletteGroup heading={shell.actFor}>
      {others.map(({ id, name }) => (
        <PaletteItem
          key={id}
          // Names are not unique.
          value={`${shell.actFor} ${name} ${id}`}
          icon={<Building2 {...ICON} />}
          onSelect={after(() => void switchAccount(id))}
        >
          {name}
        </PaletteItem>
      ))}
    </PaletteGroup>
  );
}

function PaletteThemes({ after }: { after: After }) {
  const [theme, setTheme] = useTheme();
  return (
    <PaletteGroup heading={shell.theme.label}>
      {(["system", "light", "dark"] as const)
        .filter((value) => value !== theme)
        .map((value) => (
          <PaletteItem key={value} icon={<Colours {...ICON} />} onSelect={after(() => setTheme(value))}>
            {`${shell.theme.label}: ${shell.theme[value]}`}
          </PaletteItem>
        ))}
    </PaletteGroup>
  );
}
