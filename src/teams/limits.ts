/** Invitations of a team that are neither answered nor expired. */
export const MAX_PENDING_INVITATIONS_PER_TEAM = 50;

/** Teams that one person owns. */
export const MAX_TEAMS_PER_OWNER = 20;

/** Persons whose lasting access one run ends in databases other than the core. */
export const MAX_ENDED_AT_ONCE = 50;
