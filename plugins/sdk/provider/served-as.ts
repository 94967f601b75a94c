import { lookUp } from '../../../schema/json/look-up.ts';
import type { ConversationClientCodec, ConversationCodec, CountCodec, Dialect } from '../dialect/dialect.ts';
import type { EmbeddingClientCodec, EmbeddingCodec } from '../dialect/embedding-codec.ts';
import type { Endpoint, Provider } from './provider.ts';

/**
 * How a provider serves a client's dialect: in the same dialect, translated, in another format for the same operation, by
 * the gateway's own estimate of tokens, or not at all.
 */
export type Served =
  | { readonly kind: 'same'; readonly dialect: Dialect; readonly endpoint: Endpoint }
  | {
      readonly kind: 'translate';
      readonly client: Dialect;
      readonly clientCodec: ConversationClientCodec;
      readonly upstream: Dialect;
      readonly upstreamCodec: ConversationCodec;
      readonly endpoint: Endpoint;
    }
  | {
      readonly kind: 'count';
      readonly client: Dialect;
      readonly clientCodec: CountCodec;
      readonly upstream: Dialect;
      readonly upstreamCodec: CountCodec;
      readonly endpoint: Endpoint;
    }
  | {
      readonly kind: 'embed';
      readonly client: Dialect;
      readonly clientCodec: EmbeddingClientCodec;
      readonly upstream: Dialect;
      readonly upstreamCodec: EmbeddingCodec;
      readonly endpoint: Endpoint;
    }
  | { readonly kind: 'estimate'; readonly client: Dialect; readonly clientCodec: CountCodec }
  | { readonly kind: 'none' };

export interface ServedOptions {
  readonly provider: Provider;
  /** The dialects that the provider speaks with the model, in its own order; all that it speaks if absent. */
  readonly spoken: readonly string[] | undefined;
  readonly findDialect: (id: string) => Dialect | undefined;
}

const notServed: Served = { kind: 'none' };

type Pairing =
  | Omit<Extract<Served, { readonly kind: 'translate' }>, 'endpoint'>
  | Omit<Extract<Served, { readonly kind: 'count' }>, 'endpoint'>
  | Omit<Extract<Served, { readonly kind: 'embed' }>, 'endpoint'>;

/** Whether requests in a client's dialect may become something else at a provider that does not speak it. */
export const mayBecomeOther = (client: Dialect): boolean =>
  (client.conversation ?? client.conversationClient ?? client.count ?? client.embeddingClient) !== undefined;

/** How requests in a client's dialect become those of another: undefined if they do not. */
export const pairing = (client: Dialect, upstream: Dialect): Pairing | undefined => {
  const conversing = client.conversation ?? client.conversationClient;
  if (conversing !== undefined && upstream.conversation !== undefined)
    return { kind: 'translate', client, clientCodec: conversing, upstream, upstreamCodec: upstream.conversation };
  if (client.count !== undefined && upstream.count !== undefined)
    return { kind: 'count', client, clientCodec: client.count, upstream, upstreamCodec: upstream.count };
  if (client.embeddingClient !== undefined && upstream.embedding !== undefined) {
    const [clientCodec, upstreamCodec] = [client.embeddingClient, upstream.embedding];
    return { kind: 'embed', client, clientCodec, upstream, upstreamCodec };
  }
  return undefined;
};

/** The estimate of tokens of a conversation, which the provider can have and cannot count; undefined for all else. */
export const estimateFor = (
  client: Dialect,
  spoken: readonly (Dialect | undefined)[],
): Extract<Served, { readonly kind: 'estimate' }> | undefined =>
  client.count !== undefined && spoken.some((dialect) => dialect?.conversation !== undefined)
    ? { kind: 'estimate', client, clientCodec: client.count }
    : undefined;

/**
 * Other dialects are translated to the provider's first one with conversations, and embeddings and counts of tokens to its
 * first one of those.
 */
export const servedAs = (clientDialect: string, { provider, spoken, findDialect }: ServedOptions): Served => {
  const client = findDialect(clientDialect);
  if (client === undefined) return notServed;
  const findEndpoint = (id: string): Endpoint | undefined => lookUp(provider.speaks, id);
  const own = spoken === undefined || spoken.includes(clientDialect) ? findEndpoint(clientDialect) : undefined;
  if (own !== undefined) return { kind: 'same', dialect: client, endpoint: own };
  const ids = spoken ?? Object.keys(provider.speaks);
  for (const id of ids) {
    const endpoint = findEndpoint(id);
    const upstream = findDialect(id);
    const pair = upstream && pairing(client, upstream);
    if (endpoint !== undefined && pair !== undefined) return { ...pair, endpoint };
  }
  return estimateFor(client, ids.map(findDialect)) ?? notServed;
};
