/** The most versions of a prompt or of a partial. */
export const mostVersions = 1_000;
/** The most bytes of a version, as JSON. */
export const mostVersionBytes: number = 256 * 1024;
/** The most partials that a version includes, those in partials too, and the most bytes of their texts. */
export const mostIncluded = 256;
export const mostIncludedBytes: number = 4 * 1024 * 1024;
