import type { ConversationCodec, Dialect } from '../../../plugins/sdk/dialect.ts';
import { fillModel, hasModelPlace } from '../../../plugins/sdk/fill-model.ts';
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

export interface TranslationOptions {
  readonly provider: Provider;
  readonly basePath: string;
  /** The dialects that the provider speaks with the model, in its own order; all that it speaks if absent. */
  readonly spoken: readonly string[] | undefined;
  readonly names: Names;
}

/** What is known of an endpoint before there is a request. */
const prepared = (endpoint: Endpoint, { provider, basePath }: TranslationOptions): Endpoint => {
  if (typeof endpoint !== 'string') return endpoint;
  if (!hasModelPlace(endpoint)) return basePath + endpoint;
  return ({ model }) => fillModel(endpoint, { model, provider: provider.id });
};

/** Other dialects are translated to the provider's first dialect with conversations. */
export const translationTo = (clientDialect: string, options: TranslationOptions): Translation => {
  const { provider, spoken, names } = options;
  const client = names.dialect(clientDialect);
  if (client === undefined) return noTranslation;
  const endpointOf = (id: string): Endpoint | undefined =>
    Object.hasOwn(provider.speaks, id) ? provider.speaks[id] : undefined;
  const own = spoken === undefined || spoken.includes(clientDialect) ? endpointOf(clientDialect) : undefined;
  if (own !== undefined) return { kind: 'same', dialect: client, endpoint: prepared(own, options) };
  const clientCodec = client.conversation;
  if (clientCodec === undefined) return noTranslation;
  for (const id of spoken ?? Object.keys(provider.speaks)) {
    const endpoint = endpointOf(id);
    const upstream = names.dialect(id);
    if (endpoint === undefined || upstream?.conversation === undefined) continue;
    return {
      kind: 'translate',
      client,
      clientCodec,
      upstream,
      upstreamCodec: upstream.conversation,
      endpoint: prepared(endpoint, options),
    };
  }
  return noTranslation;
};
