import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../e2e/support/build.ts";

// Each call has an IP address of its own, so that no rate limit applies, and a location as Cloudflare sets it. The outbox
// can be read on this machine only.
const PREAMBLE = `
curl() {
  local host= address="10.$((RANDOM % 256)).$((RANDOM % 256)).$((RANDOM % 256))"
  case "$*" in */api/auth/outbox*) address=127.0.0.1 ;; esac
  case "$*" in *'Host: '*) ;; *) host="Host: $SERVICE_HOST" ;; esac
  command curl -s \${host:+-H "$host"} -H "CF-Connecting-IP: $address" \\
    -H 'MF-CF-Blob: {"country":"DE","regionCode":"BE","city":"Berlin","continent":"EU"}' "$@"
}
# Logged in, not by the environment. The service knows itself by another address than $API.
tern() { env -u TERN_API_KEY -u TERN_BASE_URL node "$TERN" "\${@//$API/$TERN_BASE_URL}"; }
sleep() { command sleep 0.05; }
`;

export interface Shell {
  /** Runs commands; variables stay for the next ones. Returns stdout, or throws with stderr if they fail. */
  run: (commands: string) => Promise<string>;
  end: () => void;
}

/** Starts a bash in a temporary folder, with these variables. */
export function startShell(variables: Record<string, string>): Shell {
  const folder = mkdtempSync(join(tmpdir(), "tern-docs-"));
  // Programs import the packages by their names.
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const child = spawn("bash", ["--noprofile", "--norc"], {
    cwd: folder,
    env: {
      ...process.env,
      XDG_CONFIG_HOME: folder,
      ...variables,
      PATH: `${process.execPath.replace(/\/[^/]+$/, "")}:${process.env["PATH"]}`,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.write(PREAMBLE);
  const nextExitCode = () =>
    new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())));
  return {
    async run(commands) {
      const ended = nextExitCode();
      child.stdin.write(`{ ${commands}\n} > .output 2> .errors < /dev/null; echo $?\n`);
      if ((await ended) !== "0") throw new Error(readFileSync(join(folder, ".errors"), "utf8"));
      return readFileSync(join(folder, ".output"), "utf8");
    },
    end() {
      child.stdin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
