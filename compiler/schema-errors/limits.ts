/** How deep groups may be nested. */
export const maxDepth = 10;

/** How many targets the root may have; a conditional root often has one for each of many tenants. */
export const maxRootTargets = 100;
export const maxConditionalRootTargets = 1000;

/** How many targets a nested group may have. */
export const maxNestedTargets = 50;

/** How many targets without targets of their own a config may have in total. */
export const maxLeaves = 10_000;

/**
 * The total weight of the leaves of a caller's config. Each leaf counts 1, plus 1 for each setting and each check that applies to
 * it. Compiling takes some 50 microseconds per unit, while the requests of others wait, and a linked plan needs some kilobytes
 * per unit.
 */
export const maxCallerWeight = 2000;

/** The number of characters at a leaf that add 1 to its weight, because they are hashed and sent with each leaf. */
export const charactersPerWeight = 250;
