import type { JSONWebKeySet } from 'jose';
import type { Json, JsonObject } from '../../../../schema/json.ts';
import { isJsonObject } from '../../../../schema/json.ts';
import type { CheckServices } from '../../../sdk/guardrail.ts';
import type { Cancellation } from '../../../sdk/http.ts';
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

/** Keys are fetched again for a key that is not known, but no sooner than this: anyone can invent the name of a key. */
const soonestMs = 30_000;

/** The keys are for all requests, so they are fetched though the client of the first has left. */
const goesOn: Cancellation = { cancelled: false, onCancel: () => () => undefined };

const isKeySet = (value: JsonObject): boolean => Array.isArray(value.keys) && value.keys.every(isJsonObject);

const toKeySet = (value: JsonObject): JSONWebKeySet => {
  if (!isKeySet(value)) throw new Error('The JWKS has no list "keys".');
  return value as Json as unknown as JSONWebKeySet;
};

/** The keys of an issuer: fetched when they are needed, by one request at a time, and kept. */
export class FreshKeys {
  readonly #source: KeySource;
  #fetched: Fetched | undefined;
  #underway: Promise<Fetched> | undefined;

  constructor(source: KeySource) {
    this.#source = source;
  }

  /** The keys; of those that are kept, only such as `knows` accepts, if it is not too soon to ask again. */
  async get(knows: (keys: JSONWebKeySet) => boolean): Promise<JSONWebKeySet> {
    const { maxAgeMs, services } = this.#source;
    const known = this.#fetched;
    const age = known === undefined ? Number.POSITIVE_INFINITY : services.timers.wall() - known.at;
    if (known !== undefined && age < maxAgeMs && (knows(known.keys) || age < soonestMs)) return known.keys;
    this.#underway ??= this.#fetch().finally(() => {
      this.#underway = undefined;
    });
    this.#fetched = await this.#underway;
    return this.#fetched.keys;
  }

  async #fetch(): Promise<Fetched> {
    const { url, services } = this.#source;
    const request = { method: 'GET', url, headers: { accept: 'application/json' }, cancellation: goesOn };
    const keys = toKeySet(await askForJson(services.http, request, 'The JWKS endpoint'));
    return { keys, at: services.timers.wall() };
  }
}
