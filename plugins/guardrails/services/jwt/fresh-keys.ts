import type { JSONWebKeySet } from 'jose';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { CheckServices } from '../../../sdk/guardrail/guardrail.ts';
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
 * For an unknown key, keys are fetched again, but not sooner than this many milliseconds, because anyone can make up the name of
 * a key.
 */
const soonestMs = 30_000;

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  isJsonObject(value) && Array.isArray(value.keys) && value.keys.every(isJsonObject);

const toKeySet = (value: JsonObject): JSONWebKeySet => {
  if (!isKeySet(value)) throw new Error('The JWKS has no list "keys".');
  return value;
};

/** The keys of an issuer, which are fetched when needed, by one request at a time, and cached. */
export class FreshKeys {
  readonly #source: KeySource;
  #fetched: Fetched | undefined;
  #underway: Promise<Fetched> | undefined;

  constructor(source: KeySource) {
    this.#source = source;
  }

  /** Returns the keys. Cached keys are used if `knows` accepts them, or if it is too soon to fetch them again. */
  async get(knows: (keys: JSONWebKeySet) => boolean, tenant: TenantId): Promise<JSONWebKeySet> {
    const { maxAgeMs, services } = this.#source;
    const known = this.#fetched;
    const age = known === undefined ? Number.POSITIVE_INFINITY : services.timers.wall() - known.at;
    // If the clock was set back, their age is unknown.
    const isKept = age >= 0 && age < maxAgeMs;
    if (known !== undefined && isKept && (knows(known.keys) || age < soonestMs)) return known.keys;
    this.#underway ??= this.#fetch(tenant).finally(() => {
      this.#underway = undefined;
    });
    this.#fetched = await this.#underway;
    return this.#fetched.keys;
  }

  async #fetch(tenant: TenantId): Promise<Fetched> {
    const { url, services } = this.#source;
    // The keys are shared by all requests, so they are fetched even if the client of the first one has disconnected.
    const cancellation = neverCancelled;
    const request = { method: 'GET', url, headers: { accept: 'application/json' }, cancellation, tenant };
    const keys = toKeySet(await askForJson(services.http, request, 'The JWKS endpoint'));
    return { keys, at: services.timers.wall() };
  }
}
