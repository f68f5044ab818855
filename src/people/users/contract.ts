import { createRoute, z } from "@hono/zod-openapi";
import { json, jsonBody } from "../../http/contract.ts";
import { UserBody, UserName } from "../schemas.ts";

export const updateUser = createRoute({
  tags: ["Sign-in"],
  security: [{ session: [] }],
  method: "patch",
  path: "/api/auth/user",
  summary: "Update user",
  description: "Changes the name of the person, which members of teams see. The personal account keeps its name.",
  request: jsonBody(
    z.strictObject({ name: UserName }).openapi("UserChanges", { description: "What changes of a person." }),
  ),
  responses: { 200: json(z.object({ user: UserBody }), "The person after the change.") },
});
