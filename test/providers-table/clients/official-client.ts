import type { JsonObject } from '../../../schema/json/json.ts';

/** Where a client sends a request, with the key, headers and model that it uses. */
export interface Place {
  readonly origin: string;
  /** The path of the API's base URL, such as `/v1`, for clients that need one. */
  readonly base: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
}

/** Headers that contain a secret, with names in lower case. */
export type SecretHeaders = readonly (readonly [name: string, value: string])[];

/** By dialect: a function that sends a request with the text and returns what the library read from the response. */
export interface Asks {
  readonly [dialect: string]: (place: Place, text: string) => Promise<string>;
}

/** A vendor's own library for its API. */
export interface OfficialClient {
  readonly library: string;
  readonly asks: Asks;
  /** The headers in which it sends the key, if they differ from those of the provider's row. The vendor accepts both. */
  keyHeaders?(key: string): SecretHeaders;
  /** By dialect: the members that it always sends, although they are optional. */
  readonly writesOut?: Readonly<Record<string, JsonObject>>;
}
