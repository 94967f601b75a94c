/** How many groups may stand inside each other. */
export const maxDepth = 10;

/** How many targets the root may have; a conditional root usually has one for each of many tenants. */
export const maxRootTargets = 100;
export const maxConditionalRootTargets = 1000;

/** How many targets a group inside another may have. */
export const maxNestedTargets = 50;

/** How many targets without targets of their own a config may have in all. */
export const maxLeaves = 5000;
