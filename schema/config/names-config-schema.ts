/** The member of JSON or YAML, or the comment by which editors find the schema of a file of YAML. */
const schemaName = /(?:"?\$schema"?\s*:|# yaml-language-server: \$schema=)\s*["']?[^"'\s]{0,1000}config\.schema\.json/;

/** Characters in which the schema of a file is looked for: it is named at the beginning. */
const longestStart = 4000;

/** Whether a text names the schema of configs as its own, so that editors take it for a config wherever it is. */
export const namesConfigSchema = (text: string): boolean => schemaName.test(text.slice(0, longestStart));
