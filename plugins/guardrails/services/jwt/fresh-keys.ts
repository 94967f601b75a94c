import type { JSONWebKeySet } from 'jose';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { CheckRequest, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import { neverCancelled } from '../../../sdk/time/cancellation.ts';
import { askForJson } from '../ask-service.ts';

export interface KeySource {
  readonly url: string;
  readonly maxAgeMs: number;
  readonly services: Pick<CheckServices, 'http' | 'timers'>;
}

interface Fetched {
  readonly keys: JSONWebKeySet;
  readonly at: number;
}

/**
 * For an unknown key, keys are requested again, but not sooner than this many milliseconds after the last request, because anyone
 * can make up the name of a key.
 */
const soonestMs = 30_000;
/** The same after a failure while there are no keys at all, which every token needs. */
const soonestWithoutKeysMs = 1000;

/**
 * The longest wait for newer keys while there are cached ones, in milliseconds: shorter than a check may take, so that a token with
 * an unknown key is judged even if the endpoint stalls.
 */
const newerKeysMs = 2000;

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  isJsonObject(value) && Array.isArray(value.keys) && value.keys.every(isJsonObject);

const toKeySet = (value: JsonObject): JSONWebKeySet => {
  if (!isKeySet(value)) throw new Error('The JWKS has no list "keys".');
  return value;
};

/**
 * The keys of an issuer, which are fetched when needed, by one request at a time, and cached. While they cannot be fetched, cached
 * keys that are not too old are used, so that a token with a made-up key is refused rather than left unjudged.
 */
export class FreshKeys {
  readonly #source: KeySource;
  #fetched: Fetched | undefined;
  #underway: Promise<JSONWebKeySet> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #failure: unknown;

  constructor(source: KeySource) {
    this.#source = source;
  }

  /** Returns the keys. Cached keys are used if `knows` accepts them, or if newer ones cannot be fetched, or not yet. */
  async get(knows: (keys: JSONWebKeySet) => boolean, tenant: TenantId): Promise<JSONWebKeySet> {
    const fetched = this.#fetched;
    if (fetched === undefined || !this.#isWithin(this.#source.maxAgeMs, fetched.at)) {
      if (this.#failure !== undefined && this.#isWithin(soonestWithoutKeysMs, this.#askedAt)) throw this.#failure;
      return await this.#fetch(tenant);
    }
    if (knows(fetched.keys) || this.#isWithin(soonestMs, this.#askedAt)) return fetched.keys;
    return await this.#fetch(tenant, { timeoutMs: newerKeysMs }).catch(() => fetched.keys);
  }

  /** Whether a time is less than `ms` ago. If the clock was set back, that is unknown. */
  #isWithin(ms: number, at: number): boolean {
    const age = this.#source.services.timers.wall() - at;
    return age >= 0 && age < ms;
  }

  #fetch(tenant: TenantId, limits: Pick<CheckRequest, 'timeoutMs'> = {}): Promise<JSONWebKeySet> {
    this.#underway ??= this.#ask(tenant, limits).finally(() => {
      this.#underway = undefined;
    });
    return this.#underway;
  }

  async #ask(tenant: TenantId, limits: Pick<CheckRequest, 'timeoutMs'>): Promise<JSONWebKeySet> {
    const { url, services } = this.#source;
    this.#askedAt = services.timers.wall();
    // The keys are shared by all requests, so they are fetched even if the client of the first one has disconnected.
    const cancellation = neverCancelled;
    const request = { method: 'GET', url, headers: { accept: 'application/json' }, cancellation, tenant, ...limits };
    try {
      const keys = toKeySet(await askForJson(services.http, request, 'The JWKS endpoint'));
      this.#fetched = { keys, at: services.timers.wall() };
      this.#failure = undefined;
      return keys;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}
