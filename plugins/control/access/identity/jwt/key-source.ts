import type { JSONWebKeySet, LocalJWKSet } from 'jose';
import { isJsonObject } from '../../../../../schema/json/json.ts';
import { parseJson } from '../../../../../schema/json/parse-json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import type { CheckHttp } from '../../../../sdk/guardrail/guardrail.ts';
import { neverCancelled } from '../../../../sdk/time/cancellation.ts';

const timeoutMs = 5000;
const maxBytes = 1024 * 1024;
const maxKeys = 1000;

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  isJsonObject(value) && Array.isArray(value.keys) && value.keys.every(isJsonObject) && value.keys.length <= maxKeys;

/** Fetches a JWKS (RFC 7517). Rejects with an `Error` that says why it cannot be used. */
const fetchKeys = async (http: Pick<CheckHttp, 'send'>, url: string): Promise<LocalJWKSet> => {
  const { createLocalJWKSet } = await import('jose');
  const answer = await http
    .send({
      method: 'GET',
      url,
      headers: { accept: 'application/jwk-set+json, application/json' },
      timeoutMs,
      maxBytes,
      // An organisation names the URL, not the operator: it may only be of a host that callers may name.
      urlFromText: true,
      // The keys are for all tokens, so they are fetched though the client of the first has left.
      cancellation: neverCancelled,
    })
    .catch((error: unknown) => {
      throw new Error(`The JWKS cannot be fetched: ${errorText(error)}`);
    });
  if (answer.status !== 200) throw new Error(`The JWKS cannot be fetched: the answer has the status ${answer.status}.`);
  const value: unknown = parseJson(answer.text);
  if (!isKeySet(value)) throw new Error(`The JWKS has no list "keys" of at most ${maxKeys} objects.`);
  return createLocalJWKSet(value);
};

/** All in milliseconds. */
const freshMs = 600_000;
const usableMs = 86_400_000;
/** Anyone can invent the id of a key, and so ask for another look. */
const pauseMs = 30_000;
/** After a failure, while there are no keys at all. */
const emptyPauseMs = 5000;

interface Kept {
  readonly keys: LocalJWKSet;
  readonly at: number;
}

export interface KeySourceOptions {
  readonly url: string;
  readonly http: Pick<CheckHttp, 'send'>;
  /** Not the time of day, which may be set back: keys would count as fresh, and pauses last, for that much longer. */
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * The public keys of an identity provider: fetched when a token needs them, by one request at a time, fetched again after
 * ten minutes, and used for up to 24 hours while the provider does not answer.
 */
export class KeySource {
  readonly #options: KeySourceOptions;
  #kept: Kept | undefined;
  #underway: Promise<Kept> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #failure: Error | undefined;

  constructor(options: KeySourceOptions) {
    this.#options = options;
  }

  /** The keys that there are. Rejects with an `Error` that says why there are none. */
  async current(): Promise<LocalJWKSet> {
    const { keys, at } = this.#kept ?? { at: Number.NEGATIVE_INFINITY };
    const age = this.#now() - at;
    if (keys === undefined || age >= usableMs) return (await this.#needed()).keys;
    if (age < freshMs || this.#isTooSoon(pauseMs)) return keys;
    const refreshed = this.#fetch().then(
      (kept) => kept.keys,
      () => keys,
    );
    // A provider that did not answer last time holds up nobody.
    return this.#failure === undefined ? await refreshed : keys;
  }

  /** Keys that were fetched after given ones; undefined if there are none, or it is too soon to ask. */
  async newer(than: LocalJWKSet): Promise<LocalJWKSet | undefined> {
    if (this.#underway === undefined && this.#kept?.keys === than && this.#isTooSoon(pauseMs)) return undefined;
    if (this.#kept?.keys === than) await this.#fetch().catch(() => undefined);
    const keys = this.#kept?.keys;
    return keys === than ? undefined : keys;
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }

  #isTooSoon(ms: number): boolean {
    return this.#now() - this.#askedAt < ms;
  }

  async #needed(): Promise<Kept> {
    if (this.#underway === undefined && this.#failure !== undefined && this.#isTooSoon(emptyPauseMs))
      throw this.#failure;
    return await this.#fetch();
  }

  #fetch(): Promise<Kept> {
    this.#underway ??= this.#ask().finally(() => {
      this.#underway = undefined;
    });
    return this.#underway;
  }

  async #ask(): Promise<Kept> {
    this.#askedAt = this.#now();
    try {
      const keys = await fetchKeys(this.#options.http, this.#options.url);
      this.#kept = { keys, at: this.#now() };
      this.#failure = undefined;
      return this.#kept;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error('The JWKS cannot be used.');
      throw this.#failure;
    }
  }
}
