import type { RouteHandler } from "@hono/zod-openapi";
import type { VisitorEnv } from "../../access/guards/env.ts";
import { route } from "../../access/guards/route.ts";
import { allowClaimant } from "../../access/guards/session-guards.ts";
import { admit } from "../people/responses.ts";
import { claimInstallation } from "./claim.ts";
import * as contract from "./contract.ts";

const claim: RouteHandler<typeof contract.claim, VisitorEnv> = async (c) => {
  const signedIn = await claimInstallation(c.get("context"), c.req.valid("json"), new URL(c.req.url));
  return c.json(await admit(c, signedIn), 200);
};

export const ROUTES = [route(contract.claim, allowClaimant, 5, claim)];
