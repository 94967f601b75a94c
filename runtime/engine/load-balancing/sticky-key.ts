import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { readableBody } from '../call/readable-body.ts';
import { requestPrefix } from './prompt-prefix.ts';

/** Reads the value that requests for the same branch have in common. Undefined for a request without it. */
export type ReadKey = (exchange: Exchange) => string | undefined;

const metadataPrefix = 'metadata.';

const toText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

/** Reads the user that a request names, in OpenAI's formats or in Anthropic's. */
const userOf: ReadKey = (exchange) => {
  const { user, safety_identifier: identifier, metadata } = readableBody(exchange) ?? {};
  return toText(user ?? identifier ?? (isJsonObject(metadata) ? metadata.user_id : undefined));
};

/** Returns the reader of a key: `metadata.<name>`, `user` or `prompt-prefix`. */
export const keyReader = (by: string): ReadKey => {
  if (by === 'user') return userOf;
  if (by === 'prompt-prefix') return requestPrefix;
  const name = by.slice(metadataPrefix.length);
  return ({ facts: { metadata } }) => (Object.hasOwn(metadata, name) ? toText(metadata[name]) : undefined);
};
