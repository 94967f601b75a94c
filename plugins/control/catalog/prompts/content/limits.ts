/** The most versions of a prompt or of a partial. */
export const maxVersions = 1_000;
/** The most bytes of a version, as JSON. */
export const maxVersionBytes: number = 256 * 1024;
/** The most partials that a version includes, those in partials too, and the most bytes of their texts. */
export const maxIncluded = 256;
export const maxIncludedBytes: number = 4 * 1024 * 1024;
