import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { Sealed } from './seal.ts';

/** The places of a value whose values are wanted, with these values, and none inside another of them. */
export const readPlaces = (
  value: Json,
  wanted: (value: Json, pointer: JsonPointer) => boolean,
  at: JsonPointer = rootPointer,
): readonly (readonly [JsonPointer, Json])[] => {
  if (wanted(value, at)) return [[at, value]];
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => readPlaces(item, wanted, childPointer(at, index)));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => readPlaces(member, wanted, childPointer(at, name)));
};

const start = 'gw-sealed:';

/** The text that stands for the secret at a place of a value: `gw-sealed:/targets/0/api_key`. */
export const placeholderAt = (pointer: JsonPointer): string => `${start}${pointer}`;

/** Whether a value is such a text, of whatever place. */
export const isPlaceholder = (value: Json): boolean => typeof value === 'string' && value.startsWith(start);

/** Sealed secrets by the JSON Pointers of their places in a value. */
export type SealedByPlace = Readonly<Record<string, Sealed>>;

/** A problem of a value that a client has sent, and its place. */
export interface PlaceholderProblem {
  readonly pointer: JsonPointer;
  readonly message: string;
  readonly hint: string;
}

/** The secrets that a value retains of those that its record had before. */
export interface RetainedSecrets {
  readonly kept: SealedByPlace;
  readonly problems: readonly PlaceholderProblem[];
}

const misplaced = (pointer: JsonPointer): PlaceholderProblem => ({
  pointer,
  message: 'This is the placeholder of a secret at another place.',
  hint: `Send "${placeholderAt(pointer)}" to keep the secret that is stored for this place, or send a new secret.`,
});

const unknown = (pointer: JsonPointer): PlaceholderProblem => ({
  pointer,
  message: 'This is the placeholder of a secret, but no secret is stored for this place.',
  hint: 'Send the secret itself.',
});

/**
 * Finds the sealed secrets of a record that the placeholders in a value from a client retain: each must be at its own
 * place, where the record has a secret. For a new record `before` is empty.
 */
export const keepSealed = (value: Json, before: SealedByPlace): RetainedSecrets => {
  const kept: [string, Sealed][] = [];
  const problems: PlaceholderProblem[] = [];
  for (const [pointer, text] of readPlaces(value, isPlaceholder)) {
    const sealed = Object.hasOwn(before, pointer) ? before[pointer] : undefined;
    if (sealed === undefined) problems.push(unknown(pointer));
    else if (text === placeholderAt(pointer)) kept.push([pointer, sealed]);
    else problems.push(misplaced(pointer));
  }
  return { kept: Object.fromEntries(kept), problems };
};
