import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { withValues } from '../../../../schema/json/with-values.ts';
import { keepSealed, type SealedByPlace } from './keep-sealed.ts';
import { isPlaceholder, placeholderAt } from './placeholder.ts';
import { readPlaces } from './read-places.ts';
import type { SealedAt } from './seal.ts';
import type { Sealer } from './sealer.ts';
import { SecretError } from './secret-error.ts';

/** A JSON value as the store keeps it: its text, with placeholders, and what they stand for. */
export interface SealedLiterals {
  readonly text: string;
  readonly sealed: SealedByPlace;
}

export interface Literals {
  readonly value: Json;
  /** The places of the secrets, which may be any JSON. What is inside another of them is sealed with that one. */
  readonly pointers: readonly JsonPointer[];
  /** Where the value is stored. */
  readonly at: SealedAt;
  /** What the record had before, which placeholders in the value stand for, and where that was stored. */
  readonly before?: { readonly sealed: SealedByPlace; readonly at: SealedAt };
}

/** Where a literal at a place of a value is sealed, which is stored there. */
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
 * Seals the secrets in a value. What its placeholders stand for is kept: it is opened, and sealed for the new place. Rejects
 * with a `SecretError` if a secret or a placeholder is where there can be none: ask `keepSealed` before.
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
 * The value with its secrets. Rejects with a `SecretError` if one does not open, or if the placeholders in the text are not
 * those of what is sealed.
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
