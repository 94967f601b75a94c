/** Matches the member of JSON or YAML, or the YAML comment, by which editors find a file's schema. */
const schemaName = /(?:"?\$schema"?\s*:|# yaml-language-server: \$schema=)\s*["']?[^"'\s]{0,1000}config\.schema\.json/;

/** How many characters of a file are searched for its schema, which is named at the beginning. */
const longestStart = 4000;

/** Whether a text names the config schema as its own, so that editors treat it as a config wherever it is. */
export const namesConfigSchema = (text: string): boolean => schemaName.test(text.slice(0, longestStart));
