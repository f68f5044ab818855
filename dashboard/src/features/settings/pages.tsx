import { useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Page, Skeleton } from "../../ui/layout.tsx";

const SECTIONS = {
  profile: lazy(() => import("./profile.tsx").then((file) => ({ default: file.ProfileSettings }))),
  security: lazy(() => import("./security.tsx").then((file) => ({ default: file.SecuritySettings }))),
  data: lazy(() => import("./data.tsx").then((file) => ({ default: file.DataSettings }))),
};

export function SettingsPage() {
  const { section } = useParams({ strict: false });
  const Section = SECTIONS[section as keyof typeof SECTIONS] ?? SECTIONS.profile;
  return (
    <Page title="Settings">
      <Suspense fallback={<Skeleton className="h-40" />}>
        <Section />
      </Suspense>
    </Page>
  );
}
