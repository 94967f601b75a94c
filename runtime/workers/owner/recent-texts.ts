/** Different texts that are known. Of more, those are forgotten that were asked for first. */
const maxTexts = 1000;

/** The entry of a text that a worker asks to be printed, which is made where there is none. */
export const takeRecent = <Known>(texts: Map<string, Known>, text: string, make: () => Known): Known => {
  const known = texts.get(text) ?? make();
  texts.delete(text);
  texts.set(text, known);
  const [oldest] = texts.keys();
  if (texts.size > maxTexts && oldest !== undefined) texts.delete(oldest);
  return known;
};
