import { createRoute, z } from "@hono/zod-openapi";
import { json, jsonBody, operation, sessionOnly } from "../../http/contract.ts";
import { UserBody, UserName } from "../schemas.ts";

export const updateUser = createRoute({
  ...operation("patch", "/api/auth/user", "Sign-in", "Update user"),
  ...sessionOnly,
  description: "Changes the name of the person, which members of teams see. The personal account keeps its name.",
  request: jsonBody(
    z.strictObject({ name: UserName }).openapi("UserChanges", { description: "What changes of a person." }),
  ),
  responses: { 200: json(z.object({ user: UserBody }), "The person after the change.") },
});
