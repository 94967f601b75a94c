import type { JSONWebKeySet, LocalJWKSet } from 'jose';
import { isJsonObject } from '../../../../../schema/json/json.ts';
import { parseJson } from '../../../../../schema/json/parse-json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { CheckHttp } from '../../../../sdk/guardrail/guardrail.ts';
import { neverCancelled } from '../../../../sdk/time/cancellation.ts';

const timeoutMs = 5000;
const maxBytes = 1024 * 1024;
const maxKeys = 1000;

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  isJsonObject(value) && Array.isArray(value.keys) && value.keys.every(isJsonObject) && value.keys.length <= maxKeys;

/** Fetches a JWKS (RFC 7517). Rejects with an `Error` that says why it cannot be used. */
export const fetchKeys = async (http: Pick<CheckHttp, 'send'>, url: string): Promise<LocalJWKSet> => {
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
