import { spawn } from "node:child_process";
import { canAsk } from "../output/terminal.ts";

/** Returns why no browser can be opened here, or undefined. */
export function whyNoBrowser(env = process.env, platform = process.platform): string | undefined {
  if (!canAsk()) return "this is no terminal";
  if (env["SSH_CONNECTION"]) return "this is a connection by SSH";
  if (["darwin", "win32"].includes(platform) || env["DISPLAY"] || env["WAYLAND_DISPLAY"]) return undefined;
  return "there is no display";
}

/** Opens the URL in the person's browser. Calls `onFailure` if that does not work. */
export function openBrowser(url: string, onFailure: () => void): void {
  const [command, args] = commandFor(url, process.platform);
  const opener = spawn(command, args, { stdio: "ignore", detached: true, env: { ...process.env, TERN_PAGE: url } });
  opener.once("error", onFailure);
  opener.once("exit", (code) => {
    if (code !== 0) onFailure();
  });
  opener.unref();
}

function commandFor(url: string, platform: NodeJS.Platform): [string, string[]] {
  if (platform === "darwin") return ["open", [url]];
  if (platform !== "win32") return ["xdg-open", [url]];
  // The URL is in the environment: in a command line of Windows, its & would be one of the shell.
  return ["powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", "start $env:TERN_PAGE"]];
}
