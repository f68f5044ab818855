/** CPU time of an isolate, by the samples of V8's profiler. */
export interface Profile {
  /** Samples in which the isolate ran, its garbage collection included. */
  cpuMs: number;
  /** By function: itself, without what it calls. */
  selfMs: Map<string, number>;
}

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const SAMPLING_US = 250;
/** A longer time between two samples has passed outside of the isolate. */
const MAX_SAMPLE_US = 1_000;
/** The thread does nothing, or works for another isolate. */
const OTHERS = new Set(["(idle)", "(root)"]);

/** V8's profiler of one isolate, by the inspector protocol. */
export class Profiler {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #lastId = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
      if (id === undefined) return;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** `inspector` is the address of the runtime's, `service` the name of the Worker there. */
  static async connect(inspector: URL, service: string): Promise<Profiler> {
    const socket = new WebSocket(`ws://${inspector.host}/${service}`);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("error", () => reject(new Error(`no inspector of ${service}`)));
    });
    const profiler = new Profiler(socket);
    await profiler.#ask("Profiler.enable");
    await profiler.#ask("Profiler.setSamplingInterval", { interval: SAMPLING_US });
    return profiler;
  }

  async start(): Promise<void> {
    await this.#ask("Profiler.start");
  }

  async stop(): Promise<Profile> {
    const { profile } = (await this.#ask("Profiler.stop")) as { profile: CpuProfile };
    const names = new Map(
      profile.nodes.map(({ id, callFrame }) => [id, callFrame.functionName || `(line ${callFrame.lineNumber})`]),
    );
    const selfMs = new Map<string, number>();
    let cpuMs = 0;
    for (const [index, sample] of profile.samples.entries()) {
      const name = names.get(sample) ?? "";
      const ms = Math.min(profile.timeDeltas[index + 1] ?? 0, MAX_SAMPLE_US) / 1_000;
      selfMs.set(name, (selfMs.get(name) ?? 0) + ms);
      if (!OTHERS.has(name)) cpuMs += ms;
    }
    return { cpuMs, selfMs };
  }

  #ask(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answer;
  }
}
