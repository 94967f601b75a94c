import type { ConversationCodec, Dialect } from '../../../plugins/sdk/dialect.ts';
import type { Endpoint, Provider } from '../../../plugins/sdk/provider.ts';
import type { Names } from '../names.ts';

/**
 * How a provider serves a client's dialect: in its own words, by way of the conversation, or not at all. An endpoint
 * that is a text is the whole path, the base's included; one that is a function gives what follows the base.
 */
export type Translation =
  | { readonly kind: 'same'; readonly dialect: Dialect; readonly endpoint: Endpoint }
  | {
      readonly kind: 'translate';
      readonly client: Dialect;
      readonly clientCodec: ConversationCodec;
      readonly upstream: Dialect;
      readonly upstreamCodec: ConversationCodec;
      readonly endpoint: Endpoint;
    }
  | { readonly kind: 'none' };

const noTranslation: Translation = { kind: 'none' };

/** The first conversing dialect of a provider is the one that others are translated to. */
export const translationTo = (
  { provider, basePath }: { readonly provider: Provider; readonly basePath: string },
  clientDialect: string,
  names: Names,
): Translation => {
  const whole = (endpoint: Endpoint): Endpoint => (typeof endpoint === 'string' ? basePath + endpoint : endpoint);
  const client = names.dialect(clientDialect);
  if (client === undefined) return noTranslation;
  const own = Object.hasOwn(provider.speaks, clientDialect) ? provider.speaks[clientDialect] : undefined;
  if (own !== undefined) return { kind: 'same', dialect: client, endpoint: whole(own) };
  const clientCodec = client.conversation;
  if (clientCodec === undefined) return noTranslation;
  for (const [id, endpoint] of Object.entries(provider.speaks)) {
    const upstream = names.dialect(id);
    if (upstream?.conversation !== undefined)
      return {
        kind: 'translate',
        client,
        clientCodec,
        upstream,
        upstreamCodec: upstream.conversation,
        endpoint: whole(endpoint),
      };
  }
  return noTranslation;
};
