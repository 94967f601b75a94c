import type { JsonObject } from '../../../schema/json/json.ts';

/** Where a client sends its requests, and what it names there. */
export interface Place {
  readonly origin: string;
  /** The path of the API's base URL, for clients that are given one: `/v1`. */
  readonly base: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
}

/** Headers with a secret, their names in lower case. */
export type SecretHeaders = readonly (readonly [name: string, value: string])[];

/** By dialect: sends a request that says the text, and gives what the library read of the answer. */
export interface Asks {
  readonly [dialect: string]: (place: Place, text: string) => Promise<string>;
}

/** A vendor's own library for its API. */
export interface OfficialClient {
  readonly library: string;
  readonly asks: Asks;
  /** How it says whose key it is, where its vendor accepts other headers than the provider's row writes. */
  keyHeaders?(key: string): SecretHeaders;
  /** By dialect: the members that it always writes out, where others leave them to the vendor. */
  readonly writesOut?: Readonly<Record<string, JsonObject>>;
}
