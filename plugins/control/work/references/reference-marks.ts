/**
 * A text that is in whatever names something, and what is before or behind it there. It is one whose first letter is rare in prose
 * and in Base64, so that a search for it skips nearly all of a body.
 */
interface Mark {
  readonly text: string;
  readonly before: readonly string[];
  readonly behind?: RegExp;
}

const ids: Mark = { text: '_id', before: ['file', 'response', 'batch', 'dataset'] };

const escapedLetters: Mark = { text: '\\u00', before: [''], behind: /^[4-7]/ };

const always: readonly Mark[] = [ids, escapedLetters];

const schemes = ['gs', 's3'];

/** Beside those, what passed-through bodies and addresses in the storage of a cloud have. */
const all: readonly Mark[] = [
  ...always,
  { text: '_file', before: ['input', 'training', 'validation'] },
  ...[':/', ':\\/'].map((text): Mark => ({ text, before: schemes })),
];

/** Dialects whose bodies name files, batches and responses by ids alone. */
const naming: ReadonlySet<string | undefined> = new Set(['chat', 'messages', 'responses', 'completions', 'embeddings']);

const longestBefore = 10;

const isIn = (bytes: Buffer, { text, before, behind }: Mark): boolean => {
  for (let at = bytes.indexOf(text, 0, 'latin1'); at !== -1; at = bytes.indexOf(text, at + 1, 'latin1')) {
    const end = at + text.length;
    const preceding = bytes.toString('latin1', Math.max(0, at - longestBefore), at).toLowerCase();
    const isMarked = before.some((each) => preceding.endsWith(each));
    if (isMarked && (behind === undefined || behind.test(bytes.toString('latin1', end, end + 1)))) return true;
  }
  return false;
};

/**
 * Whether a body may name a file, a batch or a response, also where letters of a name are written as escapes; `dialect` is that of
 * the body. Nothing is parsed for it.
 */
export const mayRefer = (bytes: Buffer, dialect?: string): boolean => {
  for (const mark of naming.has(dialect) ? always : all) if (isIn(bytes, mark)) return true;
  return false;
};
