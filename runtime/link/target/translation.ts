import type { ConversationCodec, Dialect } from '../../../plugins/sdk/dialect.ts';
import type { Endpoint, Provider } from '../../../plugins/sdk/provider.ts';
import type { Names } from '../names.ts';

/**
 * How a provider serves a client's dialect: in the same dialect, translated, or not at all. A string endpoint is the
 * whole path, including the base path; a function returns the part after the base path.
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

/** Other dialects are translated to the provider's first dialect with conversations. */
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
