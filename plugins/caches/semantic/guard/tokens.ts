const irregular: Readonly<Record<string, string>> = {
  "can't": 'can not',
  cannot: 'can not',
  "won't": 'will not',
  "shan't": 'shall not',
};

/** Words after which `'s` means `is` rather than a possessive. */
const beforeIs = new Set(['what', 'who', 'where', 'when', 'why', 'how', 'it', 'there', 'that', 'here']);

const endings: Readonly<Record<string, string>> = { "'re": 'are', "'ll": 'will', "'ve": 'have', "'m": 'am' };

/** Expands a contraction, with the case of its first word. Returns the word itself if it is not a contraction, or ambiguous. */
const expandContraction = (word: string): readonly string[] => {
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

/** Part of a text. A `name` is anything other than a plain word: identifiers, addresses, quotations, versions. */
export interface Token {
  readonly kind: 'word' | 'number' | 'name' | 'mark';
  readonly text: string;
}

/**
 * Matches a whole quotation or piece of code, or everything else up to the next space. Each alternative ends at a character that
 * it excludes.
 */
const chunk = /"[^"\n]*"|`[^`]*`|'[^'\n]*'(?=[\s.,;:?!)]|$)|[^\s"`]+|["`]/g;

const plainWord = /^\p{L}[\p{L}\p{M}]*(?:['-][\p{L}\p{M}]+)*$/u;
const plainNumber = /^\d+(?:\.\d+)?$/;
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const measured = /^(\d[\d.,]*)(%|°?\p{L}+)$/u;

const opening = '([{';
const closing = '.,;:?!)]}';

const mark = (text: string): Token => ({ kind: 'mark', text });

const numberToken = (text: string): Token | undefined => {
  if (plainNumber.test(text)) return { kind: 'number', text };
  return grouped.test(text) ? { kind: 'number', text: text.replaceAll(',', '') } : undefined;
};

/** Reads the tokens between the marks of a chunk. */
const coreTokens = (core: string): readonly Token[] => {
  if (plainWord.test(core)) return expandContraction(core).map((text) => ({ kind: 'word', text }));
  const number = numberToken(core);
  if (number !== undefined) return [number];
  const [, amount = '', unit = ''] = measured.exec(core) ?? [];
  const counted = numberToken(amount);
  return counted === undefined ? [{ kind: 'name', text: core }] : [counted, { kind: 'name', text: unit }];
};

const isQuotation = (text: string): boolean => text.length > 1 && /^["`']/.test(text) && text.at(-1) === text[0];

/** Marks that stand alone are not punctuation, and an exclamation mark after a number or a bracket is a factorial. */
const isSymbol = (text: string): boolean => /^[.,;:?!]+$/.test(text) || /[\d)\]]!+[.?]?$/.test(text);

const chunkTokens = (text: string): readonly Token[] => {
  if (isQuotation(text) || isSymbol(text)) return [{ kind: 'name', text }];
  let from = 0;
  let to = text.length;
  while (from < to && opening.includes(text.charAt(from))) from += 1;
  while (to > from && closing.includes(text.charAt(to - 1))) to -= 1;
  const core = text.slice(from, to);
  const before = [...text.slice(0, from)].map(mark);
  const after = [...text.slice(to)].map(mark);
  return [...before, ...(core === '' ? [] : coreTokens(core)), ...after];
};

const straight = (text: string): string => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');

/** Splits a text into words, numbers, names and marks, in order. Contractions are expanded. */
export const toTokens = (text: string): readonly Token[] =>
  (straight(text.normalize('NFC')).match(chunk) ?? []).flatMap(chunkTokens);
