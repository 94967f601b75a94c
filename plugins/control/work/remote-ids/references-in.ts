import { gatewayError } from '../../../../schema/errors/errors.ts';
import { refuseRepeatedKey } from '../../../../schema/errors/refuse-repeated-key.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { isSpace, openBrace, openBracket } from '../../../../schema/json/json-bytes.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import { percentDecoded } from '../../../../schema/text/percent-decoded.ts';

/**
 * A text that occurs wherever something is named, and what precedes or follows it there. Its first letter is rare in prose and in
 * Base64, so that a search for it skips nearly all of a body.
 */
interface Mark {
  readonly text: string;
  readonly before: readonly string[];
  readonly behind?: RegExp;
}

const ids: Mark = { text: '_id', before: ['file', 'response', 'batch', 'dataset'] };

const escapedLetters: Mark = { text: '\\u00', before: [''], behind: /^[4-7]/ };

const always: readonly Mark[] = [ids, escapedLetters];

/** In addition, the marks of passed-through bodies and of addresses in the storage of a cloud. */
const all: readonly Mark[] = [
  ...always,
  { text: '_file', before: ['input', 'training', 'validation'] },
  ...[':/', ':\\/'].map((text): Mark => ({ text, before: ['gs', 's3'] })),
];

/** Dialects whose bodies name files, batches and responses only by ids. */
const idDialects: ReadonlySet<string | undefined> = new Set([
  'chat',
  'messages',
  'messages-count',
  'responses',
  'responses-count',
  'completions',
  'embeddings',
]);

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
 * Checks whether a body may name a file, a batch or a response, even if letters of a name are written as escapes. `dialect` is
 * that of the body. Parses nothing.
 */
const mayRefer = (bytes: Buffer, dialect?: string): boolean =>
  (idDialects.has(dialect) ? always : all).some((mark) => isIn(bytes, mark));

/** An id, and its place in a body. */
export interface Reference {
  readonly id: string;
  readonly pointer: JsonPointer;
}

/** Members whose values are ids or lists of ids. */
const naming: ReadonlySet<string> = new Set([
  ...[
    'file_id',
    'file_ids',
    'input_file_id',
    'input_files',
    'batch_id',
    'previous_response_id',
    'input_dataset_id',
    'dataset_id',
  ],
  ...['training_file', 'training_files', 'validation_file', 'validation_files'],
]);

const isAddress = (text: string): boolean => /^\s*(?:gs|s3):\/\//i.test(text);

/** `{"type": "file_id", "id": "…"}` */
const isNaming = (name: string, { type }: JsonObject): boolean =>
  naming.has(name) || (name === 'id' && type === 'file_id');

/** Yields the ids of files, batches and responses anywhere in a parsed body. */
export function* referencesIn(body: Json): Generator<Reference, void> {
  const open: {
    readonly value: Json;
    readonly pointer: JsonPointer;
    readonly isNamed: boolean;
  }[] = [{ value: body, pointer: rootPointer, isNamed: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, pointer, isNamed } = place;
    if (typeof value === 'string') {
      if (isNamed || isAddress(value)) yield { id: value, pointer };
    } else if (isJsonObject(value)) {
      for (const name of Object.keys(value).toReversed())
        open.push({ value: value[name] ?? null, pointer: childPointer(pointer, name), isNamed: isNaming(name, value) });
    } else if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at -= 1)
        open.push({ value: value[at], pointer: childPointer(pointer, at), isNamed });
    }
  }
}

const opens = (byte: number | undefined): boolean => byte === openBrace || byte === openBracket;

/** Checks whether JSON is in UTF-16 or UTF-32, which some providers accept. A character then takes two or more bytes. */
const isWide = (bytes: Buffer): boolean => {
  const first = bytes[0] ?? 0;
  const second = bytes[1] ?? 0;
  if (first + second === 0xfe + 0xff && Math.min(first, second) === 0xfe) return true;
  return (first === 0 || second === 0) && bytes.subarray(0, 4).some(opens);
};

const beginsJson = (bytes: Buffer): boolean => {
  let at = 0;
  while (isSpace(bytes[at])) at += 1;
  // The byte order mark of UTF-8.
  if (bytes[at] === 0xef) at += 3;
  return opens(bytes[at]);
};

/** The references of nearly all bodies. */
export const noReferences: readonly Reference[] = [];

/**
 * Reads the ids that a JSON body names; none for any other body. Throws the `GatewayError` `malformed-body` if the body may name
 * some and providers may read it in another way.
 */
export const bodyReferences = (bytes: Buffer, dialect?: string): readonly Reference[] => {
  if (isWide(bytes)) throw gatewayError('malformed-body', { reason: 'it is not in UTF-8.' });
  if (!mayRefer(bytes, dialect) || !beginsJson(bytes)) return noReferences;
  const body = parseJson(bytes.toString());
  if (body === undefined) throw gatewayError('malformed-body', { reason: 'it cannot be parsed.' });
  refuseRepeatedKey(bytes);
  return [...referencesIn(body)];
};

/** The minimum length of an id. A text that is shorter or has no digit is not an id, so most paths have none. */
const shortestId = 6;

const mayBeId = (text: string): boolean => text.length >= shortestId && /\d/.test(text);

/**
 * Picks the texts in a path and its query that may be ids, as the most lenient server reads them: without anything after a
 * semicolon.
 */
export const pathReferences = (path: string): readonly string[] => {
  const at = path.indexOf('?');
  const [place, query] = at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
  const segments = place
    .split('/')
    .flatMap((segment) => (percentDecoded(segment) ?? segment).split(/[/\\]/))
    .map((segment) => segment.replace(/;.*$/s, ''));
  return [...segments, ...new URLSearchParams(query).values()].filter(mayBeId);
};
