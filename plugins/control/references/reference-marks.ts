const files = 'file_id';
const responses = 'previous_response_id';

/** How addresses in the storage of a cloud begin, as JSON may write them. */
const addresses = ['gs:/', 'gs:\\/', 's3:/', 's3:\\/'];

/** Where it is not known what a body may have. */
const all: readonly string[] = [
  ...[files, responses, 'input_files', 'training_file', 'validation_file', 'batch_id'],
  ...addresses,
];

/** What bodies of a dialect have where they name a file or a response: each further text is searched for in each request. */
const marksOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['chat', [files]],
  ['messages', [files]],
  ['responses', [files, responses]],
  ['completions', [files]],
  ['embeddings', [files]],
  ['gemini', addresses],
  ['converse', addresses],
]);

const escaped = '\\u00';
const firstLetters = '4'.charCodeAt(0);
const lastLetters = '7'.charCodeAt(0);

/** Whether a letter, or the low line, is written as an escape: names can be hidden by that. */
const hasEscapedLetter = (bytes: Buffer): boolean => {
  for (let at = bytes.indexOf(escaped, 0, 'latin1'); at !== -1; at = bytes.indexOf(escaped, at + 1, 'latin1')) {
    const digit = bytes[at + escaped.length] ?? 0;
    if (digit >= firstLetters && digit <= lastLetters) return true;
  }
  return false;
};

/** Whether a body may name a file or a response; `dialect` is that of the body. Nothing is parsed for it. */
export const mayRefer = (bytes: Buffer, dialect?: string): boolean => {
  for (const mark of (dialect === undefined ? undefined : marksOf.get(dialect)) ?? all)
    if (bytes.indexOf(mark, 0, 'latin1') !== -1) return true;
  return hasEscapedLetter(bytes);
};
