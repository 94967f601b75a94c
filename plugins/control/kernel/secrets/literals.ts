import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { canonicalJson } from '../../../../schema/json/canonical.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { withValues } from '../../../../schema/json/with-values.ts';
import type { StoredSecret } from './compare-secrets.ts';
import { type Sealed, type SealedAt, SecretError } from './seal.ts';
import type { Sealer } from './sealer.ts';

/** Returns the places of a value that should be read, with their values. No place is inside another. */
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

/** Returns the text that stands for the secret at a place of a value: `gw-sealed:/targets/0/api_key`. */
export const placeholderAt = (pointer: JsonPointer): string => `${start}${pointer}`;

/** Whether a value is such a placeholder, for any place. */
export const isPlaceholder = (value: Json): boolean => typeof value === 'string' && value.startsWith(start);

/** Sealed secrets by the JSON Pointers of their places in a value. */
export type SealedByPlace = Readonly<Record<string, Sealed>>;

/** The secrets that a value retains from the previous version of its record. */
interface RetainedSecrets {
  readonly kept: SealedByPlace;
  readonly problems: readonly InputProblem[];
}

/**
 * Finds the sealed secrets of a record that the placeholders in a value from a client retain. Each placeholder must be at its own
 * place, and the record must have a secret there. For a new record, `before` is empty.
 */
export const keepSealed = (value: Json, before: SealedByPlace): RetainedSecrets => {
  const kept: [string, Sealed][] = [];
  const problems: InputProblem[] = [];
  for (const [pointer, text] of readPlaces(value, isPlaceholder)) {
    const sealed = Object.hasOwn(before, pointer) ? before[pointer] : undefined;
    if (sealed === undefined)
      problems.push({
        pointer,
        message: 'This is the placeholder of a secret, but no secret is stored for this place.',
        hint: 'Send the secret itself.',
      });
    else if (text === placeholderAt(pointer)) kept.push([pointer, sealed]);
    else
      problems.push({
        pointer,
        message: 'This is the placeholder of a secret at another place.',
        hint: `Send "${placeholderAt(pointer)}" to keep the secret that is stored for this place, or send a new secret.`,
      });
  }
  return { kept: Object.fromEntries(kept), problems };
};

/** A JSON value as stored: its text, with placeholders, and the secrets that these stand for. */
export interface SealedLiterals {
  readonly text: string;
  readonly sealed: SealedByPlace;
}

export interface Literals {
  readonly value: Json;
  /** The places of the secrets, which may be any JSON. A place inside another is sealed together with the outer one. */
  readonly pointers: readonly JsonPointer[];
  /** Where the value is stored. */
  readonly at: SealedAt;
  /** The previous value, whose secrets the placeholders stand for, and the place where it was stored. */
  readonly before?: { readonly sealed: SealedByPlace; readonly at: SealedAt };
}

/** Returns where a literal at a place of a value is sealed; the value itself is stored at `at`. */
export const literalAt = (at: SealedAt, pointer: string): SealedAt => ({ ...at, field: `${at.field}${pointer}` });

const inField = ({ field, id, table }: SealedAt): string => `the field ${field} of the record ${id} of ${table}`;

const openAt = async (
  sealer: Pick<Sealer, 'open'>,
  sealed: SealedByPlace,
  at: SealedAt,
): Promise<ReadonlyMap<JsonPointer, Json>> => {
  const opened = Object.entries(sealed).map(async ([pointer, each]): Promise<[JsonPointer, Json]> => {
    return [pointer as JsonPointer, fromJson(await sealer.open(each, literalAt(at, pointer)))];
  });
  return new Map(await Promise.all(opened));
};

/**
 * Seals the secrets in a value. Secrets that its placeholders stand for are kept: each is opened, and sealed for the new place.
 * Rejects with a `SecretError` if a secret or a placeholder is in an invalid place; call `keepSealed` first.
 */
export const sealLiterals = async (
  sealer: Sealer,
  { value, pointers, at, before }: Literals,
): Promise<SealedLiterals> => {
  const wanted: ReadonlySet<string> = new Set(pointers);
  const { kept, problems } = keepSealed(value, before?.sealed ?? {});
  const places = readPlaces(value, (each, pointer) => wanted.has(pointer) || isPlaceholder(each));
  const found: ReadonlySet<string> = new Set(places.map(([pointer]) => pointer));
  const within = (pointer: string): boolean => places.some(([outer]) => pointer.startsWith(`${outer}/`));
  const [bad] = [
    ...problems.map(({ pointer }) => pointer),
    ...pointers.filter((pointer) => !found.has(pointer) && !within(pointer)),
    ...Object.keys(kept).filter((pointer) => !found.has(pointer)),
  ];
  if (bad !== undefined) {
    throw new SecretError(`There is no secret at ${JSON.stringify(bad)} of ${inField(at)}: send the value again.`);
  }
  const values = new Map([...places, ...(before === undefined ? [] : await openAt(sealer, kept, before.at))]);
  const sealed = [...values].map(async ([pointer, secret]) => {
    return [pointer, await sealer.seal(JSON.stringify(secret), literalAt(at, pointer))] as const;
  });
  return {
    text: JSON.stringify(withValues(value, new Map(places.map(([pointer]) => [pointer, placeholderAt(pointer)])))),
    sealed: Object.fromEntries(await Promise.all(sealed)),
  };
};

/**
 * Returns the value with its secrets. Rejects with a `SecretError` if a secret cannot be opened, or if the placeholders in the
 * text do not match the sealed secrets.
 */
export const openLiterals = async (
  sealer: Pick<Sealer, 'open'>,
  { text, sealed, at }: SealedLiterals & { readonly at: SealedAt },
): Promise<Json> => {
  const value: Json = fromJson(text);
  const { kept, problems } = keepSealed(value, sealed);
  const lost = Object.keys(sealed).find((pointer) => !Object.hasOwn(kept, pointer)) ?? problems[0]?.pointer;
  if (lost === undefined) return withValues(value, await openAt(sealer, sealed, at));
  throw new SecretError(
    `The text and the sealed secrets of ${inField(at)} do not belong together at ${JSON.stringify(lost)}: save the record again.`,
  );
};

/** The value that a record had before: the value with placeholders, and the secrets that these stand for. */
export interface StoredValue {
  readonly value: Json;
  readonly sealed: SealedByPlace;
  /** The place that the secrets are sealed for. */
  readonly at: SealedAt;
}

/** Lists the secrets of a stored value, which a record shows as one of its members. */
export const literalSecrets = ({ sealed, at }: Omit<StoredValue, 'value'>, member: string): readonly StoredSecret[] =>
  Object.entries(sealed).map(([pointer, each]) => ({
    pointer: `${toPointer([member])}${pointer}` as JsonPointer,
    sealed: each,
    at: literalAt(at, pointer),
    isJson: true,
  }));

export interface RetainedSecretsOptions {
  readonly sealer: Sealer;
  /** Absent for a new record, which keeps no secrets. */
  readonly before?: StoredValue | undefined;
  /** Returns everything that decides where the secret at a place is sent. A secret is kept only if none of it has changed. */
  readonly readDestination: (value: Json, pointer: JsonPointer) => Json;
}

/** A value from a client, with the secrets that its placeholders keep. The value is absent if there are errors. */
export interface CompletedValue {
  readonly value?: Json;
  /** The places of the secrets that were kept. */
  readonly kept: readonly JsonPointer[];
  readonly problems: readonly InputProblem[];
}

/** Lists errors for retained secrets at places where a value can have none; `places` are the valid places. */
export const misplacedSecrets = (
  kept: readonly JsonPointer[],
  places: readonly JsonPointer[],
): readonly InputProblem[] => {
  const known = new Set(places);
  return kept
    .filter((pointer) => !known.has(pointer))
    .map((pointer) => ({ pointer, message: 'There is no secret at this place.', hint: 'Send the value itself.' }));
};

/**
 * Completes a value from a client with its retained secrets. Rejects with a `SecretError` if a stored secret cannot be opened.
 */
export const withRetainedSecrets = async (
  value: Json,
  { sealer, before, readDestination }: RetainedSecretsOptions,
): Promise<CompletedValue> => {
  const { kept: sealed, problems } = keepSealed(value, before?.sealed ?? {});
  const kept = Object.keys(sealed) as JsonPointer[];
  if (before === undefined || problems.length > 0)
    return problems.length > 0 ? { kept, problems } : { value, kept, problems };
  const errors = kept
    .filter(
      (place) => canonicalJson(readDestination(value, place)) !== canonicalJson(readDestination(before.value, place)),
    )
    .map((pointer) => ({
      pointer,
      message: 'The stored secret would be sent to a different destination from the one it was saved for.',
      hint: 'Send the secret itself together with the new destination.',
    }));
  if (errors.length > 0) return { kept, problems: errors };
  return { value: await openLiterals(sealer, { text: JSON.stringify(value), sealed, at: before.at }), kept, problems };
};
