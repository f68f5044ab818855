import { Link, Outlet, useNavigate, useRouter, useRouterState } from "@tanstack/react-router";
import { Plus, Search } from "lucide-react";
import { useState } from "react";
import { lazyPart } from "../lib/lazy-part.ts";
import { cx } from "../lib/class-names.ts";
import { useShortcut } from "../lib/shortcuts.ts";
import { endTypeAhead, startTypeAhead } from "../lib/type-ahead.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Keys } from "../ui/keys.tsx";
import { Later } from "../ui/later.tsx";
import { LazyDialogs } from "../ui/lazy-dialogs.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Brand } from "../ui/brand.tsx";
import { FactorNeededPage, useFactorNeeded } from "./factor-needed.tsx";
import { MembershipEndedPage, useMembershipEnded } from "./membership-ended.tsx";
import { Notices } from "./notices.tsx";
import { usePageFocus } from "./page-focus.ts";
import { usePages, type NavigationPage } from "./navigation.tsx";
import { OfflineBanner } from "../ui/offline-banner.tsx";
import { PagePending } from "../ui/page-states.tsx";
import { useRequestHooks } from "./request-hooks.ts";

// Loaded when they are first opened.
const Palette = lazyPart(() => import("./palette.tsx").then(({ Palette }) => Palette));
const ShortcutsDialog = lazyPart(() => import("./shortcuts-dialog.tsx").then(({ ShortcutsDialog }) => ShortcutsDialog));
const IdentityDialog = lazyPart(() =>
  import("../identity/identity-dialog.tsx").then(({ IdentityDialog }) => IdentityDialog),
);

type Opened = "palette" | "shortcuts" | "factor" | null;

/** The frame of all pages of a person who is signed in. */
export function AppLayout() {
  const { account, can } = useSession();
  const pages = usePages();
  const navigate = useNavigate();
  const router = useRouter();
  const [opened, setOpened] = useState<Opened>(null);
  const neededFactor = useFactorNeeded(account.id);
  const [content, pageTitle] = usePageFocus();
  const [isFormer, checkMembership] = useMembershipEnded(account);
  const [isConfirming, endConfirmation] = useRequestHooks(neededFactor.refuse, checkMembership);

  const createLink = () => {
    // The list behind the editor stays as it is.
    const { pathname, search } = router.state.location;
    const isList = pathname === "/links";
    startTypeAhead(() => router.history.back());
    void navigate({
      to: "/links",
      search: { ...(isList && search), create: true },
      state: { opensDialog: isList },
      resetScroll: false,
    });
  };
  const isSearching = opened === "palette";
  useShortcut("Ctrl+k", { label: texts.shell.palette.open, group: texts.shell.general, inDialogs: isSearching }, () => {
    endTypeAhead();
    setOpened(isSearching ? null : "palette");
  });
  useShortcut("?", { label: texts.shell.shortcuts, group: texts.shell.general }, () => setOpened("shortcuts"));
  useShortcut(
    can("links:write") ? "c" : undefined,
    { label: texts.shell.createLink, group: texts.shell.general },
    createLink,
  );

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:inset-s-2 focus:z-50 focus:rounded-control focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent"
      >
        {texts.shell.skip}
      </a>
      <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-page/95 px-4 py-2 backdrop-blur md:px-8 lg:h-dvh lg:flex-col lg:items-stretch lg:border-e lg:border-b-0 lg:px-3 lg:py-4">
        <Link to="/links" className="rounded-control px-2 py-1 max-lg:-ms-2 lg:mb-3" aria-label="Tern">
          <Brand />
        </Link>
        <Button
          kind="secondary"
          className="justify-between px-3! text-soft max-lg:hidden"
          onClick={() => setOpened("palette")}
        >
          <span className="flex items-center gap-2 font-normal">
            <Search size={16} aria-hidden />
            {texts.shell.palette.open}
          </span>
          <Keys keys="Ctrl+k" />
        </Button>
        <nav aria-label={texts.shell.navigation} className="hidden lg:mt-3 lg:block lg:flex-1">
          <ul className="grid gap-0.5">
            {pages.map((page) => (
              <li key={page.to}>
                <PageLink page={page} />
              </li>
            ))}
          </ul>
        </nav>
        <span className="ms-auto lg:hidden">
          <IconButton
            label={texts.shell.palette.open}
            icon={<Search size={20} aria-hidden />}
            onClick={() => setOpened("palette")}
          />
        </span>
        <AccountMenu onShortcuts={() => setOpened("shortcuts")} />
      </header>

      <p aria-live="polite" className="sr-only">
        {pageTitle}
      </p>
      <main ref={content} id="content" tabIndex={-1} className="min-w-0 outline-none" key={account.id}>
        <OfflineBanner />
        <Notices />
        {isFormer ? (
          <MembershipEndedPage />
        ) : neededFactor.step === null ? (
          <Later placeholder={<PagePending />}>
            <Outlet />
          </Later>
        ) : (
          <FactorNeededPage step={neededFactor.step} onConfirm={() => setOpened("factor")} />
        )}
      </main>

      <TabBar onCreate={createLink} />

      <LazyDialogs
        onFail={() => {
          setOpened(null);
          endConfirmation(false);
        }}
      >
        {isSearching && (
          <Palette onClose={() => setOpened(null)} onCreate={createLink} onShortcuts={() => setOpened("shortcuts")} />
        )}
        {opened === "shortcuts" && <ShortcutsDialog onClose={() => setOpened(null)} />}
        {isConfirming && <IdentityDialog onDone={endConfirmation} />}
        {opened === "factor" && (
          <IdentityDialog
            onDone={(confirmed) => {
              setOpened(null);
              if (confirmed) neededFactor.forget();
            }}
          />
        )}
      </LazyDialogs>
    </div>
  );
}

function usePageShortcut({ to, label, keys }: NavigationPage): void {
  const navigate = useNavigate();
  useShortcut(keys, { label, group: texts.shell.navigationGroup }, () => void navigate({ to }));
}

function PageLink({ page }: { page: NavigationPage }) {
  usePageShortcut(page);
  return (
    <Link
      to={page.to}
      className="flex items-center gap-3 rounded-control px-3 py-2 font-semibold text-soft transition-colors hover:bg-sunken hover:text-ink"
      activeProps={{ className: "bg-wash text-accent-strong!" }}
    >
      {page.icon}
      {page.label}
    </Link>
  );
}

/** The navigation of narrow screens, at the bottom. */
function TabBar({ onCreate }: { onCreate: () => void }) {
  const { can } = useSession();
  const pages = usePages();
  return (
    <nav
      aria-label={texts.shell.navigation}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-page pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <ul className="mx-auto grid max-w-lg auto-cols-fr grid-flow-col items-center">
        {pages.slice(0, 2).map((page) => (
          <li key={page.to}>
            <PageTab page={page} />
          </li>
        ))}
        <li className="flex justify-center">
          <IconButton
            kind="primary"
            label={texts.shell.createLink}
            icon={<Plus size={22} aria-hidden />}
            disabled={!can("links:write")}
            onClick={onCreate}
          />
        </li>
        {pages.slice(2).map((page) => (
          <li key={page.to}>
            <PageTab page={page} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function PageTab({ page }: { page: NavigationPage }) {
  const active = useRouterState({ select: ({ location }) => location.pathname.startsWith(page.to) });
  return (
    <Link
      to={page.to}
      aria-label={page.label}
      className={cx(
        "flex flex-col items-center gap-0.5 px-0.5 py-2 text-[11px] font-semibold tracking-tight",
        active ? "text-accent-strong" : "text-soft",
      )}
    >
      {page.icon}
      <span className="max-w-full truncate">{page.shortLabel ?? page.label}</span>
    </Link>
  );
}
