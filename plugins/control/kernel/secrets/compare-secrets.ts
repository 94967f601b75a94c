import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
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
const withinMs = 600_000;
const maxRecords = 10_000;

/** Counts the values that were compared with the secrets of a record and were others, so that nobody guesses secrets by it. */
class WrongValues {
  readonly #counts = new Map<string, { readonly since: number; readonly count: number }>();

  /** Throws the `GatewayError` `compared-too-often` for a record with too many. */
  refuse(id: string, what: string, now: number): void {
    const counted = this.#counts.get(id);
    if (counted !== undefined && now - counted.since < withinMs && counted.count >= maxCompared)
      throw gatewayError('compared-too-often', { what, max: maxCompared });
  }

  note(id: string, wrong: number, now: number): void {
    const before = this.#counts.get(id);
    const isOver = before === undefined || now - before.since >= withinMs;
    this.#counts.delete(id);
    this.#counts.set(id, isOver ? { since: now, count: wrong } : { ...before, count: before.count + wrong });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > maxRecords && oldest !== undefined) this.#counts.delete(oldest);
  }
}

const wrongValues = new WrongValues();

/**
 * Reports for each value whether it is the secret that a record has at its place. Rejects with the `GatewayError`
 * `compared-too-often` where too many values were wrong before, and with a `SecretError` if a secret does not open.
 */
export const compareSecrets = async (
  sealer: Pick<Sealer, 'open'>,
  { id, noun, secrets }: { readonly id: string; readonly noun: string; readonly secrets: readonly StoredSecret[] },
  { values, now }: { readonly values: Readonly<Record<string, string>>; readonly now: number },
): Promise<Readonly<Record<string, boolean>>> => {
  wrongValues.refuse(id, noun, now);
  const stored = new Map<string, StoredSecret>(secrets.map((each) => [each.pointer, each]));
  const compared = Object.entries(values).map(async ([pointer, value]): Promise<[string, boolean]> => {
    const secret = stored.get(pointer);
    if (secret === undefined) return [pointer, false];
    return [pointer, isSame(toText(await sealer.open(secret.sealed, secret.at), secret), value)];
  });
  const equal = await Promise.all(compared);
  wrongValues.note(id, equal.filter(([, isEqual]) => !isEqual).length, now);
  return Object.fromEntries(equal);
};
