const irregular: Readonly<Record<string, string>> = {
  "can't": 'can not',
  cannot: 'can not',
  "won't": 'will not',
  "shan't": 'shall not',
};

/** Words after which `'s` is `is`, and no possessive. */
const beforeIs = new Set(['what', 'who', 'where', 'when', 'why', 'how', 'it', 'there', 'that', 'here']);

const endings: Readonly<Record<string, string>> = { "'re": 'are', "'ll": 'will', "'ve": 'have', "'m": 'am' };

/** The words of a contraction, with the case of the first; the word itself if it is none, or could be several. */
export const expandContraction = (word: string): readonly string[] => {
  const lower = word.toLowerCase();
  const known = irregular[lower];
  if (known !== undefined) return known.split(' ');
  if (lower.endsWith("n't") && lower.length > 4) return [word.slice(0, -3), 'not'];
  const at = word.lastIndexOf("'");
  if (at <= 0) return [word];
  const stem = word.slice(0, at);
  const ending = lower.slice(at);
  if (ending === "'s") return beforeIs.has(stem.toLowerCase()) ? [stem, 'is'] : [stem, "'s"];
  const full = endings[ending];
  return full === undefined ? [word] : [stem, full];
};
