import { nameOfApp } from "../../ui/name-of-app.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { isSafeTarget, isWebsite } from "./leave.ts";
import { placeOfUri } from "./places.ts";
import { WithApp } from "./with-app.tsx";

const { leaving } = texts.authorize;

interface LeavingPageProps {
  app: { name: string };
  isAllowed: boolean;
  redirectUri: string;
}

/** Stays until the window is at the app, and for good where the app is a program of its own. */
export function LeavingPage({ app, isAllowed, redirectUri }: LeavingPageProps) {
  const name = nameOfApp(app);
  const text = isAllowed ? leaving.allowed : leaving.denied;
  const title = { title: text(name), heading: <WithApp text={text} name={name} /> };
  if (!isSafeTarget(redirectUri))
    return (
      <OpenLayout {...title}>
        <Notice kind="warn">{leaving.unsafe}</Notice>
      </OpenLayout>
    );
  const place = placeOfUri(redirectUri);
  return (
    <OpenLayout {...title} lead={isWebsite(redirectUri) ? leaving.text(place) : leaving.program}>
      <Button asChild>
        <a href={redirectUri}>{isWebsite(redirectUri) ? leaving.goOn(place) : leaving.open}</a>
      </Button>
    </OpenLayout>
  );
}
