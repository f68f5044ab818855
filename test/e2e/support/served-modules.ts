import { parseModuleFallbackRequest, Response, type Request } from "miniflare";

const ROOT = "/";

/** As the runtime takes them, by script: a file starts the same one many times. */
const bodies = new Map<string, Buffer>();

/**
 * Options of miniflare with which the runtime asks for these modules, by their paths, when a Worker imports them. Such a
 * Worker has `ON_REQUEST`. A built Worker in the configuration makes a start slow: miniflare copies all of it each time that
 * it writes four kilobytes more.
 */
export const serveModules = (modules: Record<string, string>) => ({
  unsafeModuleFallbackService: async (request: Request) => {
    const asked = await parseModuleFallbackRequest(request);
    const script = asked === null ? undefined : modules[asked.specifier];
    return script === undefined
      ? new Response(null, { status: 404 })
      : new Response(bodyOf(asked?.specifier ?? "", script));
  },
});

/** For a Worker that imports modules that are served. */
export const ON_REQUEST = { modulesRoot: ROOT, unsafeUseModuleFallbackService: true };

function bodyOf(specifier: string, esModule: string): Buffer {
  const known = bodies.get(esModule);
  if (known !== undefined) return known;
  const body = Buffer.from(JSON.stringify({ name: specifier.slice(ROOT.length), esModule }));
  bodies.set(esModule, body);
  return body;
}
