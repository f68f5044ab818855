import { Link } from "@tanstack/react-router";
import { ChevronsUpDown, Keyboard, LogOut, ShieldCheck, UserRound } from "lucide-react";
import { useTheme } from "../lib/theme.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../ui/menu.tsx";
import { useSignOut } from "./sign-out.ts";
import { useSwitchAccount } from "./use-switch-account.ts";

/** Switches the account and the colours, and signs out. */
export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { user, accounts, account, isOperator } = useSession();
  const [theme, setTheme] = useTheme();
  const leave = useSignOut();
  const switchAccount = useSwitchAccount();
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex min-w-0 items-center gap-2.5 rounded-control p-1.5 text-start hover:bg-sunken max-lg:-me-1.5 lg:w-full"
        >
          <span
            aria-hidden
            className="grid size-8 shrink-0 place-content-center rounded-full bg-accent font-bold text-on-accent"
          >
            {Array.from(account.name)[0]?.toUpperCase()}
          </span>
          <span className="sr-only min-w-0 flex-1 lg:not-sr-only">
            <span className="block truncate font-semibold">{account.name}</span>
            <span dir="ltr" className="block truncate text-as-parent text-sm text-soft">
              {user.email}
            </span>
          </span>
          <ChevronsUpDown size={16} className="hidden text-soft lg:block" aria-hidden />
        </button>
      }
    >
      <MenuLabel>{texts.shell.actFor}</MenuLabel>
      {accounts
        .filter(({ deletesAt }) => deletesAt === null)
        .map(({ id, name }) => (
          <MenuChoice key={id} checked={id === account.id} onSelect={() => void switchAccount(id)}>
            {name}
          </MenuChoice>
        ))}
      <MenuSeparator />
      <MenuLabel>{texts.shell.theme.label}</MenuLabel>
      {(["system", "light", "dark"] as const).map((value) => (
        <MenuChoice key={value} checked={theme === value} onSelect={() => setTheme(value)}>
          {texts.shell.theme[value]}
        </MenuChoice>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Keyboard size={16} aria-hidden />} keys="?" onSelect={onShortcuts}>
        {texts.shell.shortcuts}
      </MenuItem>
      <MenuItem asChild>
        <Link to="/settings">
          <UserRound size={16} aria-hidden />
          {texts.shell.pages.settings}
        </Link>
      </MenuItem>
      {isOperator && (
        <MenuItem asChild>
          <Link to="/admin">
            <ShieldCheck size={16} aria-hidden />
            {texts.shell.pages.admin}
          </Link>
        </MenuItem>
      )}
      <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={leave}>
        {texts.shell.signOut}
      </MenuItem>
    </Menu>
  );
}
