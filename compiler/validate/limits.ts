/** How many groups may stand inside each other. */
export const maxDepth = 10;

/** How many targets the root may have; a conditional root usually has one for each of many tenants. */
export const maxRootTargets = 100;
export const maxConditionalRootTargets = 1000;

/** How many targets a group inside another may have. */
export const maxNestedTargets = 50;

/** How many targets without targets of their own a config may have in all. */
export const maxLeaves = 10_000;

/**
 * How much the leaves of a caller's config may be together: each is one, and one more for each setting and each check
 * that holds there. Compiling them takes some 50 microseconds each, while the requests of others wait, and a linked
 * plan holds some kilobytes for each.
 */
export const maxCallerWeight = 2000;

/** The number of characters at a leaf that count as one more of its weight: they are hashed with each leaf, and sent. */
export const charactersPerWeight = 250;
