import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { WindowCounts } from '../pools/window-counts.ts';
import type { SealedSecret } from './seal.ts';
import type { Sealer } from './sealer.ts';

/** A secret of a record. */
export interface StoredSecret extends SealedSecret {
  /** The place of its placeholder in the record as it is shown. */
  readonly pointer: JsonPointer;
}

/** It never leaves the process, so that digests say nothing to whoever sees them. */
const key = randomBytes(32);

const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Reports whether two texts are the same, in a time that says nothing of where they differ. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const toText = (opened: string, { isJson = false }: StoredSecret): string => {
  const value: Json = isJson ? fromJson(opened) : opened;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The most values of a comparison, and the most that are wrong for one record within the time. */
export const maxCompared = 100;
/** The values that were compared with the secrets of a record and were others, so that nobody guesses secrets by it. */
const wrongValues = new WindowCounts({ windowMs: 600_000, maxKeys: 10_000 });

/**
 * Reports for each value whether it is the secret that a record has at its place. Rejects with the `GatewayError`
 * `compared-too-often` where too many values were wrong before, and with a `SecretError` if a secret does not open.
 */
export const compareSecrets = async (
  sealer: Pick<Sealer, 'open'>,
  { id, noun, secrets }: { readonly id: string; readonly noun: string; readonly secrets: readonly StoredSecret[] },
  { values, now }: { readonly values: Readonly<Record<string, string>>; readonly now: number },
): Promise<Readonly<Record<string, boolean>>> => {
  if (wrongValues.of(id, now) >= maxCompared)
    throw gatewayError('compared-too-often', { what: noun, max: maxCompared });
  const stored = new Map<string, StoredSecret>(secrets.map((each) => [each.pointer, each]));
  const compared = Object.entries(values).map(async ([pointer, value]): Promise<[string, boolean]> => {
    const secret = stored.get(pointer);
    if (secret === undefined) return [pointer, false];
    return [pointer, isSame(toText(await sealer.open(secret.sealed, secret.at), secret), value)];
  });
  const equal = await Promise.all(compared);
  wrongValues.add(id, equal.filter(([, isEqual]) => !isEqual).length, now);
  return Object.fromEntries(equal);
};
