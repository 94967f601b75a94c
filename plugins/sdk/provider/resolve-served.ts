import { lookUp } from '../../../schema/json/look-up.ts';
import type { ConversationClientCodec, ConversationCodec, CountCodec, Dialect } from '../dialect/dialect.ts';
import { type OperationTranslation, operationTranslation } from '../dialect/operation-translation.ts';
import type { Endpoint, Provider } from './provider.ts';

/**
 * How a provider serves a client's dialect: in the same dialect, as another conversation, as the same operation in another
 * format, by the gateway's own estimate of tokens, as it came, or not at all.
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
      readonly kind: 'operation';
      readonly client: Dialect;
      readonly upstream: Dialect;
      readonly translate: OperationTranslation;
      readonly endpoint: Endpoint;
    }
  | { readonly kind: 'passed' }
  | { readonly kind: 'estimate'; readonly client: Dialect; readonly clientCodec: CountCodec }
  | { readonly kind: 'none' };

export interface ServedOptions {
  readonly provider: Provider;
  /** The dialects that the provider speaks for the model, in its own order. If absent, all that it speaks. */
  readonly spoken: readonly string[] | undefined;
  readonly findDialect: (id: string) => Dialect | undefined;
}

const notServed: Served = { kind: 'none' };

type Pairing =
  | Omit<Extract<Served, { readonly kind: 'translate' }>, 'endpoint'>
  | Omit<Extract<Served, { readonly kind: 'count' }>, 'endpoint'>
  | Omit<Extract<Served, { readonly kind: 'operation' }>, 'endpoint'>;

/** Whether requests in a client's dialect may be translated for a provider that does not speak it. */
export const canBeTranslated = (client: Dialect): boolean =>
  (client.conversation ?? client.conversationClient ?? client.count ?? client.clientCodecs) !== undefined;

/** Returns how requests in a client's dialect are translated to another, or undefined if they cannot be. */
export const pairing = (client: Dialect, upstream: Dialect): Pairing | undefined => {
  const conversing = client.conversation ?? client.conversationClient;
  if (conversing !== undefined && upstream.conversation !== undefined)
    return { kind: 'translate', client, clientCodec: conversing, upstream, upstreamCodec: upstream.conversation };
  if (client.count !== undefined && upstream.count !== undefined)
    return { kind: 'count', client, clientCodec: client.count, upstream, upstreamCodec: upstream.count };
  const translate = operationTranslation(client, upstream);
  return translate && { kind: 'operation', client, upstream, translate };
};

/**
 * Returns the estimate of tokens for a conversation that the provider supports but cannot count, or undefined in all other cases.
 */
export const estimateFor = (
  client: Dialect,
  spoken: readonly (Dialect | undefined)[],
): Extract<Served, { readonly kind: 'estimate' }> | undefined =>
  client.count !== undefined && spoken.some((dialect) => dialect?.conversation !== undefined)
    ? { kind: 'estimate', client, clientCodec: client.count }
    : undefined;

/**
 * Returns how a provider serves a client's dialect. Conversations are translated to the provider's first dialect with
 * conversations, everything else to its first one for the same operation.
 */
export const resolveServed = (clientDialect: string, { provider, spoken, findDialect }: ServedOptions): Served => {
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
  if (client.passesThrough === true) return { kind: 'passed' };
  return estimateFor(client, ids.map(findDialect)) ?? notServed;
};
