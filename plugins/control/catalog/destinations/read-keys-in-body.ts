import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { isPlaceholder, placeholderAt } from '../../kernel/secrets/literals.ts';
import type { GivenCredential, StoredPool } from './destination.ts';
import type { DestinationBody } from './destination-body.ts';

/** Returns the field of a key. A key keeps its number as long as it is in the record, at any position. */
const toField = (number: number): string => `keys/${number}`;

const toNumber = (field: string): number => Number(field.slice('keys/'.length));

/** Returns the placeholder of a key. */
const shownKey = (field: string): string => placeholderAt(toPointer(field.split('/')));

/** Returns the place of a field's secret in a credential. */
export const fieldPlace = (field: string): JsonPointer => toPointer(['credential', field]);

/** Returns the keys of a record as they are shown: placeholders, with their weights. */
export const shownKeys = ({ keys, accounts }: StoredPool): object => ({
  keys: keys.map(({ field, weight }) => ({ api_key: shownKey(field), weight })),
  accounts,
});

/** The keys in a body. */
export interface KeysInBody {
  readonly pool: StoredPool | undefined;
  /** The texts of the keys by field, with the placeholders of those that are retained. */
  readonly credential: GivenCredential;
  readonly problems: readonly Problem[];
  /** Converts a place in the credential to a place in the body. */
  placeInBody(pointer: JsonPointer): JsonPointer;
}

const noKeys = problem(
  ['accounts'],
  'This says to whom the "keys" belong, but there are none.',
  'Leave it out, or add "keys".',
);

const mixed = problem(
  ['keys'],
  'Several keys replace a credential, but one is set as well.',
  'Leave one of the two out.',
);

const withoutWeight = problem(
  ['keys'],
  'Every key has weight 0, so none is used.',
  'Give at least one a weight above 0.',
);

/** Reads the keys of a body, each with its field: that of its placeholder, or a new one. */
const readKeys = (
  { keys = [], accounts }: Pick<DestinationBody, 'keys' | 'accounts'>,
  before: StoredPool | undefined,
): KeysInBody => {
  const known = new Map((before?.keys ?? []).map(({ field }) => [shownKey(field), field]));
  let number = Math.max(0, ...(before?.keys ?? []).map(({ field }) => toNumber(field)));
  const read = keys.map(({ api_key: text, weight = 1 }, index) => {
    const retained = known.get(text);
    // A second placeholder of the same key is not valid.
    known.delete(text);
    if (retained === undefined) number += 1;
    const field = retained ?? toField(number);
    const at = toPointer(['keys', index, 'api_key']);
    return { field, weight, at, text: retained === undefined ? text : placeholderAt(fieldPlace(field)) };
  });
  const places = new Map(read.map(({ field, at }) => [fieldPlace(field), at]));
  const unknown = read.filter(({ text, field }) => isPlaceholder(text) && text !== placeholderAt(fieldPlace(field)));
  return {
    pool: {
      keys: read.map(({ field, weight }) => ({ field, weight })),
      accounts: accounts ?? before?.accounts ?? 'one',
    },
    credential: Object.fromEntries(read.map(({ field, text }) => [field, text])),
    problems: [
      ...unknown.map(({ at }) => ({
        ...problem([], 'This is the placeholder of a key that is not stored.', 'Send the key itself.'),
        pointer: at,
      })),
      ...(read.every(({ weight }) => weight === 0) ? [withoutWeight] : []),
    ],
    placeInBody: (pointer) => places.get(pointer) ?? pointer,
  };
};

const asSent = (pointer: JsonPointer): JsonPointer => pointer;

/**
 * Returns the keys that a record has after a body is applied to it: those of the body, none if the body has a credential, or the
 * previous ones. Undefined if the record has a single credential.
 */
export const readKeysInBody = (body: DestinationBody, before: StoredPool | undefined): KeysInBody | undefined => {
  const hasCredential = body.credential !== undefined || body.key !== undefined;
  if (body.keys !== undefined) {
    const sent = readKeys(body, before);
    return hasCredential ? { ...sent, problems: [mixed, ...sent.problems] } : sent;
  }
  const pool = hasCredential ? undefined : before;
  if (pool === undefined) {
    if (body.accounts === undefined) return undefined;
    return { pool: undefined, credential: {}, problems: [noKeys], placeInBody: asSent };
  }
  const retained = pool.keys.map(({ field }) => [field, placeholderAt(fieldPlace(field))]);
  return {
    pool: { ...pool, accounts: body.accounts ?? pool.accounts },
    credential: Object.fromEntries(retained),
    problems: [],
    placeInBody: (pointer) => (pointer.startsWith('/credential/') ? toPointer(['keys']) : pointer),
  };
};
