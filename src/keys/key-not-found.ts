import { notFound } from "../http/errors.ts";

export const keyNotFound = () => notFound("There is no such key.");
