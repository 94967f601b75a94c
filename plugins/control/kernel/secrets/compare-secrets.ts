import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { type Json, writtenText } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { type Allowances, allowanceSizes } from '../fairness/allowances.ts';
import type { SealedSecret } from './seal.ts';
import type { Sealer } from './sealer.ts';

/** A secret of a record. */
export interface StoredSecret extends SealedSecret {
  /** The place of its placeholder in the record as shown. */
  readonly pointer: JsonPointer;
}

/** Never leaves the process, so that the digests reveal nothing. */
const key = randomBytes(32);

const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Whether two texts are the same. The time that it takes does not depend on where they differ. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const toText = (opened: string, { isJson = false }: StoredSecret): string => {
  const value: Json = isJson ? fromJson(opened) : opened;
  return writtenText(value);
};

/**
 * The maximum number of values in a comparison, and of wrong values for one record within the time window, so that secrets cannot
 * be guessed.
 */
export const maxCompared: number = allowanceSizes.comparisons.max;

/**
 * Reports for each value whether it is the secret that a record has at that place. Rejects with the `GatewayError`
 * `compared-too-often` if too many values were wrong before, and with a `SecretError` if a secret cannot be opened.
 */
export const compareSecrets = async (
  { sealer, allowances }: { readonly sealer: Pick<Sealer, 'open'>; readonly allowances: Allowances },
  { id, noun, secrets }: { readonly id: string; readonly noun: string; readonly secrets: readonly StoredSecret[] },
  values: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, boolean>>> => {
  const given = Object.entries(values);
  if (!(await allowances.take('comparisons', id, given.length)))
    throw gatewayError('compared-too-often', { what: noun, max: maxCompared });
  const stored = new Map<string, StoredSecret>(secrets.map((each) => [each.pointer, each]));
  const compare = async ([pointer, value]: [string, string]): Promise<[string, boolean]> => {
    const secret = stored.get(pointer);
    if (secret === undefined) return [pointer, false];
    return [pointer, isSame(toText(await sealer.open(secret.sealed, secret.at), secret), value)];
  };
  const equal = await Promise.all(given.map(compare)).catch(async (error: unknown) => {
    await allowances.giveBack('comparisons', id, given.length);
    throw error;
  });
  await allowances.giveBack('comparisons', id, equal.filter(([, isEqual]) => isEqual).length);
  return Object.fromEntries(equal);
};
