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

/** Thrown if there are no keys to verify a token with, which says nothing about the token. Explains why there are none. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** Fetches a JWKS (RFC 7517). Rejects with `KeysUnavailable` if it cannot be used. */
const fetchKeys = async (http: Pick<CheckHttp, 'send'>, url: string): Promise<LocalJWKSet> => {
  const { createLocalJWKSet } = await import('jose');
  const answer = await http
    .send({
      method: 'GET',
      url,
      headers: { accept: 'application/jwk-set+json, application/json' },
      timeoutMs,
      maxBytes,
      // The URL was set by an organisation, not the operator, so only hosts that callers may name are allowed.
      urlFromText: true,
      // The keys serve all tokens, so fetching continues even if the client of the first token has disconnected.
      cancellation: neverCancelled,
    })
    .catch((error: unknown) => {
      throw new KeysUnavailable(`The JWKS cannot be fetched: ${errorText(error)}`);
    });
  if (answer.status !== 200)
    throw new KeysUnavailable(`The JWKS cannot be fetched: the answer has the status ${answer.status}.`);
  const value: unknown = parseJson(answer.text);
  if (!isKeySet(value)) throw new KeysUnavailable(`The JWKS has no list "keys" of at most ${maxKeys} objects.`);
  return createLocalJWKSet(value);
};

/** All in milliseconds. */
const freshMs = 600_000;
const usableMs = 86_400_000;
/** Anyone can invent a key id, and so cause another fetch. */
const pauseMs = 30_000;
/** The pause after a failure while there are no keys at all. */
const emptyPauseMs = 5000;

interface Kept {
  readonly keys: LocalJWKSet;
  readonly at: number;
}

export interface KeySourceOptions {
  readonly url: string;
  readonly http: Pick<CheckHttp, 'send'>;
  /** Not the wall clock: if that was set back, keys would count as fresh, and pauses last, for that much longer. */
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * The public keys of an identity provider. They are fetched when a token needs them, by one request at a time, fetched again
 * after ten minutes, and used for up to 24 hours while the provider does not respond.
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

  /** Returns the current keys. Rejects with `KeysUnavailable`. */
  async current(): Promise<LocalJWKSet> {
    const { keys, at } = this.#kept ?? { at: Number.NEGATIVE_INFINITY };
    const age = this.#now() - at;
    if (keys === undefined || age >= usableMs) return (await this.#needed()).keys;
    if (age < freshMs || this.#isTooSoon(pauseMs)) return keys;
    const refreshed = this.#fetch().then(
      (kept) => kept.keys,
      () => keys,
    );
    // If the provider did not respond last time, nobody waits for it.
    return this.#failure === undefined ? await refreshed : keys;
  }

  /** Returns keys that were fetched after the given ones; undefined if there are none, or if it is too soon to fetch them. */
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
