// The URIs of the two sides of a diff.

export const proposalScheme = "clined-proposal";
export const baseScheme = "clined-base";
