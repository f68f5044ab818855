/** Invitations of a team that are neither answered nor expired. */
export const MAX_PENDING_INVITATIONS_PER_TEAM = 50;

/** Teams that one person owns. */
export const MAX_TEAMS_PER_OWNER = 20;
