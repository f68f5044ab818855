/** The version of schema.sql that this code was written for. */
export const SCHEMA_VERSION = 1;
