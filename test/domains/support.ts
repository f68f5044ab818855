import type { Domain } from "../../src/domains/contract.ts";
import { createAccount, jsonOf, type CallOptions } from "../support/api.ts";
import { accountId, internet, key, service, startService, type Service } from "../webhooks/support.ts";

export { errorOf } from "../support/api.ts";

export const DOMAIN = "go.acme.com";

export interface Person {
  key: string;
  accountId: number;
}

/** A service whose host has a unique address, so that no domain points to it by accident. */
export async function startDomains(): Promise<{ service: Service; ann: Person; bob: Person }> {
  await startService();
  await internet.addresses({ "tern.test": ["198.51.100.7"] });
  return { service, ann: { key, accountId }, bob: await createAccount() };
}

export async function addDomain(service: Service, { key }: Person, domain = DOMAIN): Promise<Domain> {
  return oneOf(await service.call("POST", "/api/domains/add", { key, body: { domain } }), 201);
}

export async function oneOf(response: Response, status = 200): Promise<Domain> {
  if (response.status !== status) throw new Error(`${response.status} ${await response.text()}`);
  return (await jsonOf<{ domain: Domain }>(response)).domain;
}

/** The TXT record that proves the ownership. */
export function proofOf(domain: Domain): { name: string; value: string } {
  const record = domain.records.find(({ type }) => type === "TXT");
  if (record?.type !== "TXT") throw new Error("no TXT record");
  return record;
}

export async function publishProof(...domains: Domain[]): Promise<void> {
  const { name } = proofOf(domains[0] as Domain);
  await internet.records({ [`TXT ${name}`]: domains.map((domain) => `"${proofOf(domain).value}"`) });
}

export function verify(
  service: Service,
  { key }: Person,
  { id }: Domain,
  options: CallOptions = {},
): Promise<Response> {
  return service.call("POST", `/api/domains/${id}/verify`, { key, ...options });
}

/** A domain that the person has verified. */
export async function addVerified(service: Service, person: Person, name = DOMAIN): Promise<Domain> {
  const domain = await addDomain(service, person, name);
  await publishProof(domain);
  return oneOf(await verify(service, person, domain));
}

export async function read(service: Service, { key }: Person, { id }: Domain): Promise<Domain> {
  return oneOf(await service.call("GET", `/api/domains/${id}`, { key }));
}

/** The events that webhooks received since the last call. */
export async function takeEvents(service: Service): Promise<{ event: string; data: unknown }[]> {
  await service.deliver();
  const received = await internet.received();
  await internet.forget();
  return received
    .filter(({ url }) => url.startsWith("https://hooks.receiver.dev/"))
    .map(({ body }) => JSON.parse(body) as { event: string; data: unknown });
}
