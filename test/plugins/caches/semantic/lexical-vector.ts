const dimensions = 512;

const toBucket = (text: string): number => {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % dimensions;
};

/** Counts the three-letter groups of a text in a vector: texts with the same letters are similar, whatever they mean. */
export const lexicalVector = (text: string): readonly number[] => {
  const vector: number[] = new Array(dimensions).fill(0);
  const letters = ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()} `;
  for (let at = 0; at + 3 <= letters.length; at += 1) {
    const bucket = toBucket(letters.slice(at, at + 3));
    vector[bucket] = (vector[bucket] ?? 0) + 1;
  }
  return vector;
};
