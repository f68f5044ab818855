import { useParams } from "@tanstack/react-router";
import { Compass, LockKeyhole } from "lucide-react";
import { Suspense } from "react";
import { PagePending } from "../../ui/page-states.tsx";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { EmptyState } from "../../ui/layout.tsx";
import { SettingsHeader } from "./frame.tsx";
import { SettingsNavigation } from "./navigation.tsx";
import { SETTINGS_SECTIONS } from "./sections.tsx";

const FIRST_SECTION = "general";

/** All settings: the list of sections, and one of them. */
export function SettingsPage() {
  const { section = FIRST_SECTION, id } = useParams({ strict: false });
  const { can } = useSession();
  const current = SETTINGS_SECTIONS.find(({ name }) => name === section);
  const sections = SETTINGS_SECTIONS.filter(({ permission }) => permission === undefined || can(permission));
  return (
    <div className="mx-auto w-full max-w-[78rem] px-4 pt-6 pb-24 md:px-8 md:pb-12 xl:grid xl:grid-cols-[13rem_minmax(0,1fr)] xl:gap-10">
      <SettingsNavigation sections={sections} current={current} />
      <div className="min-w-0">
        {current === undefined && <Missing {...texts.settings.noSuchSection} />}
        {current !== undefined && !sections.includes(current) && <NotAllowed />}
        {current !== undefined && sections.includes(current) && (
          <>
            {current.isHeaded === true && <SettingsHeader title={texts.settings.sections[current.name]} />}
            <Suspense fallback={<PagePending />}>
              <current.component key={id} id={id} />
            </Suspense>
          </>
        )}
      </div>
    </div>
  );
}

function Missing({ title, text }: { title: string; text: string }) {
  return (
    <>
      <SettingsHeader title={texts.settings.title} />
      <EmptyState icon={<Compass aria-hidden />} title={title} text={text} />
    </>
  );
}

function NotAllowed() {
  const { account } = useSession();
  const { title, text } = texts.settings.notAllowed;
  return (
    <>
      <SettingsHeader title={texts.settings.title} />
      <EmptyState
        icon={<LockKeyhole aria-hidden />}
        title={title}
        text={text(texts.settings.roles[account.role], account.name)}
      />
    </>
  );
}
