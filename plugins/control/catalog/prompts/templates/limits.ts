/** The deepest nesting of sections in a template, and of partials in partials. */
export const maxLevels = 32;
/** The most bytes of a template, and of what is rendered from it, as UTF-8. */
export const maxBytes: number = 1024 * 1024;
/** The most steps of one rendering: nodes rendered, items visited, and objects in which a name was looked for. */
export const maxSteps = 1_000_000;
