import { lookUp } from '../../../schema/json/look-up.ts';
import type { ConversationCodec, Dialect } from '../dialect/dialect.ts';
import { type OperationTranslation, operationTranslation } from '../dialect/operation-translation.ts';
import type { Endpoint, Provider } from './provider.ts';

/**
 * How a provider serves a client's dialect: in the same dialect, as another conversation, as the same operation in another
 * format, as it came, or not at all.
 */
export type Served =
  | { readonly kind: 'same'; readonly dialect: Dialect; readonly endpoint: Endpoint }
  | {
      readonly kind: 'translate';
      readonly client: Dialect;
      readonly clientCodec: ConversationCodec;
      readonly upstream: Dialect;
      readonly upstreamCodec: ConversationCodec;
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
  | Omit<Extract<Served, { readonly kind: 'operation' }>, 'endpoint'>;

/** How requests in a client's dialect become those of another: undefined if they do not. */
export const pairing = (client: Dialect, upstream: Dialect): Pairing | undefined => {
  if (client.conversation !== undefined && upstream.conversation !== undefined) {
    const [clientCodec, upstreamCodec] = [client.conversation, upstream.conversation];
    return { kind: 'translate', client, clientCodec, upstream, upstreamCodec };
  }
  const translate = operationTranslation(client, upstream);
  return translate && { kind: 'operation', client, upstream, translate };
};

/** Other dialects are translated to the provider's first one with conversations, and operations to its first one of the same operation. */
export const servedAs = (clientDialect: string, { provider, spoken, findDialect }: ServedOptions): Served => {
  const client = findDialect(clientDialect);
  if (client === undefined) return notServed;
  const findEndpoint = (id: string): Endpoint | undefined => lookUp(provider.speaks, id);
  const own = spoken === undefined || spoken.includes(clientDialect) ? findEndpoint(clientDialect) : undefined;
  if (own !== undefined) return { kind: 'same', dialect: client, endpoint: own };
  for (const id of spoken ?? Object.keys(provider.speaks)) {
    const endpoint = findEndpoint(id);
    const upstream = findDialect(id);
    const pair = upstream && pairing(client, upstream);
    if (endpoint !== undefined && pair !== undefined) return { ...pair, endpoint };
  }
  return client.passesThrough === true ? { kind: 'passed' } : notServed;
};
