import { notFound } from "../http/errors.ts";

export const teamNotFound = () => notFound("There is no such team.");
