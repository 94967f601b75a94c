import { randomUUID } from 'node:crypto';
import type { Embed, EmbedRequest } from '../../../../plugins/sdk/cache/cache.ts';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { neverCancelled } from '../../../../plugins/sdk/time/cancellation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';
import { discard } from '../../error-responses/discard.ts';
import { withoutForeignHint } from '../../error-responses/error-response.ts';

/** Runs a request through the plan of the provider that creates vectors. */
export type RunEmbedding = (exchange: Exchange) => Promise<GatewayResponse>;

/** The maximum number of dimensions of a vector. */
const maxDimensions = 16_384;

const toExchange = ({ text, tenant, timeoutMs, cancellation = neverCancelled }: EmbedRequest): Exchange => {
  const params: JsonObject = { input: text };
  return {
    traceId: randomUUID(),
    principal: { tenant },
    route: { operation: 'embed', dialect: 'embeddings' },
    request: {
      method: 'POST',
      path: '/embeddings',
      headers: ['content-type', 'application/json'],
      body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(params)) },
    },
    overrides: { timeoutMs },
    facts: { metadata: {}, params, url: { pathname: '/v1/embeddings' } },
    json: () => params,
    secrets: [],
    seed: 0,
    trail: [],
    cancellation,
  };
};

const isVector = (value: Json | undefined): value is readonly number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxDimensions &&
  value.every((each) => typeof each === 'number');

/** Returns the vector of an answer: https://platform.openai.com/docs/api-reference/embeddings/object */
const findVector = ({ data }: JsonObject): readonly number[] | undefined => {
  const first = Array.isArray(data) ? data[0] : undefined;
  return isJsonObject(first) && isVector(first.embedding) ? first.embedding : undefined;
};

/**
 * Describes an answer without a vector. An error of the gateway itself says what happened at which host. An error of a provider
 * may repeat what it was sent, and is omitted.
 */
const failure = ({ status, cause, body }: GatewayResponse): Error => {
  const error = body.kind === 'bytes' ? findJsonObject(body.bytes)?.error : undefined;
  const message = isJsonObject(error) ? error.message : undefined;
  const reason =
    cause !== undefined && typeof message === 'string' ? `: ${withoutForeignHint({ code: cause, message })}` : '.';
  return new Error(`The request for the vector of a text was answered with status ${status}${reason}`);
};

/** Requests vectors from a provider like any other request: with its credential, its signature, and the rules for egress. */
export const createEmbedder =
  (run: RunEmbedding): Embed =>
  async (request) => {
    const response = await run(toExchange(request));
    const { status, body } = response;
    if (status !== 200 || body.kind !== 'bytes') {
      discard(response);
      throw failure(response);
    }
    const vector = findVector(findJsonObject(body.bytes) ?? {});
    if (vector === undefined) throw new Error('The answer to the request for the vector of a text has no vector.');
    return vector;
  };
