import { actAs } from "../platform/auth/in-process.ts";
import type { Principal } from "../platform/auth/principal.ts";
import { STATUS_OF_CODE, type ErrorBody, type ErrorCode } from "../platform/http/error-body.ts";

/** Answers a request as the API answers callers over HTTP. */
export type ServeApi = (request: Request) => Response | Promise<Response>;

interface ApiRequest {
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: unknown;
  accept?: string;
}

/** The API, called on behalf of the caller of a tool. Limits, permissions and validation are those of the API. */
export interface Api {
  /** Returns the JSON of the response. Throws {@link ApiFailure} for an error. */
  json<T>(method: string, path: string, request?: ApiRequest): Promise<T>;
  /** Returns the response. Throws {@link ApiFailure} for an error. */
  send(method: string, path: string, request?: ApiRequest): Promise<Response>;
}

/** An error of the API. */
export class ApiFailure extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorBody["details"];

  constructor({ error, code, details }: ErrorBody) {
    super(error);
    this.code = code;
    this.details = details;
  }
}

/** The headers by which the API knows where its caller is. */
const ADDRESS_HEADERS = ["CF-Connecting-IP", "CF-Worker"];

/** The API as the sender of `request` may use it. The token of an app is not sent to it. */
export function apiFor(request: Request, principal: Principal, serve: ServeApi): Api {
  const callerHeaders = principal.type === "key" ? ["Authorization", ...ADDRESS_HEADERS] : ADDRESS_HEADERS;
  const send = async (method: string, path: string, { query = {}, body, accept }: ApiRequest = {}) => {
    const url = new URL(path, request.url);
    for (const [name, value] of Object.entries(query))
      for (const text of [value ?? []].flat()) url.searchParams.append(name, String(text));
    const headers = new Headers(accept === undefined ? {} : { Accept: accept });
    for (const name of callerHeaders) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const json = body === undefined ? null : new TextEncoder().encode(JSON.stringify(body));
    if (json !== null) {
      headers.set("Content-Type", "application/json");
      // Routes decide by it whether a call computes long.
      headers.set("Content-Length", String(json.byteLength));
    }
    const own = new Request(url, {
      method,
      headers,
      body: json,
      ...(request.cf !== undefined && { cf: request.cf }),
    });
    if (principal.type === "app") actAs(own, principal);
    const response = await serve(own);
    if (!response.ok) throw new ApiFailure(await readError(response));
    return response;
  };
  return {
    send,
    json: async <T>(method: string, path: string, options?: ApiRequest) =>
      (await send(method, path, options)).json<T>(),
  };
}

async function readError(response: Response): Promise<ErrorBody> {
  const body = await response.json<ErrorBody>().catch(() => null);
  if (body !== null && body.code in STATUS_OF_CODE) return body;
  return { error: `The service answered with status ${response.status}.`, code: "internal" };
}
