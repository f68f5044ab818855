import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { readAgain } from "../api/query-client.ts";
import { formatRelative } from "../lib/format.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts/index.ts";
import { Button } from "../ui/button.tsx";
import { showProblem } from "../ui/change-toast.ts";
import { Notice } from "../ui/notice.tsx";

/** What happened to the person, where no mail tells it. */
export function Notices() {
  const { notices } = useSession();
  const { title, dismiss: label, security } = texts.shell.notices;
  const dismiss = useMutation({
    mutationFn: async (noticesReadAt: number) => {
      await call("PATCH", "/api/auth/user", { body: { noticesReadAt } });
      await readAgain("session");
    },
    onError: showProblem,
  });
  const [newest] = notices;
  if (newest === undefined) return null;
  return (
    <Notice
      kind="warn"
      className="m-4 md:mx-8"
      title={title}
      action={
        <Button size="small" busy={dismiss.isPending} onClick={() => dismiss.mutate(newest.createdAt)}>
          {label}
        </Button>
      }
    >
      <ul className="my-2 grid gap-2">
        {notices.map((notice) => (
          <li key={notice.id}>
            <span className="font-semibold">{notice.title}</span> · {formatRelative(notice.createdAt)}
            <p className="text-sm text-soft">{notice.text}</p>
          </li>
        ))}
      </ul>
      <Button size="small" asChild>
        <Link to="/settings/$section" params={{ section: "security" }}>
          {security}
        </Link>
      </Button>
    </Notice>
  );
}
