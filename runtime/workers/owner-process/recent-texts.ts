/** The maximum number of different texts that are remembered. Beyond that, the oldest are forgotten. */
const maxTexts = 1000;

/** Returns the entry of a text that a worker wants to print, creating it if there is none. */
export const takeRecent = <Known>(texts: Map<string, Known>, text: string, make: () => Known): Known => {
  const known = texts.get(text) ?? make();
  texts.delete(text);
  texts.set(text, known);
  const [oldest] = texts.keys();
  if (texts.size > maxTexts && oldest !== undefined) texts.delete(oldest);
  return known;
};
