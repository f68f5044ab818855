import type { Role } from "../../../src/platform/auth/roles.ts";
import { signUp, takeMails, type Browser, type Reply } from "../people/support.ts";

export interface Person {
  browser: Browser;
  email: string;
  userId: string;
}

export interface TeamOf {
  owner: Person;
  id: string;
}

/** A person and a new team of this person. */
export async function makeTeam(owner?: Person): Promise<TeamOf> {
  const person = owner ?? (await signUp());
  const { body } = await person.browser.post("/api/teams", { name: "Acme" });
  return { owner: person, id: (body["team"] as { id: string }).id };
}

/** Invites the address and returns the token of the mail. */
export async function invite({ owner, id }: TeamOf, email: string, role: Role = "member"): Promise<string> {
  const reply = await owner.browser.post(`/api/teams/${id}/invitations`, { email, role });
  if (reply.status !== 201) throw new Error(`invite: ${reply.status} ${JSON.stringify(reply.body)}`);
  return (await takeMails()).find(({ to }) => to === email)?.token ?? "";
}

export const accept = ({ browser }: Person, token: string): Promise<Reply> =>
  browser.post("/api/teams/invitations/accept", { token });

/** Adds a new person to the team. */
export async function join(team: TeamOf, role: Role): Promise<Person> {
  const person = await signUp();
  const { status } = await accept(person, await invite(team, person.email, role));
  if (status !== 200) throw new Error(`accept: ${status}`);
  return person;
}

/** Sends a request for the team's account. */
export const actFor = (team: TeamOf, { browser }: Person, method: string, path: string, body?: unknown) =>
  browser.send(method, path, { body, headers: { "X-Account-Id": team.id } });
