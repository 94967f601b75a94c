import type { Usage } from '../../../../schema/conversation.ts';
import { gatewayError } from '../../../../schema/errors.ts';
import type { JsonObject } from '../../../../schema/json.ts';
import type { Catalogue } from '../../../sdk/catalogue.ts';
import type { Dialect } from '../../../sdk/dialect.ts';
import { dropOf } from '../../../sdk/drop-of.ts';
import type { Provider } from '../../../sdk/provider.ts';
import { servedAs } from '../../../sdk/served-as.ts';
import type { Account } from '../../accounts/account.ts';

/** The bodies of chats in the dialect of a provider, and its answers as chats. */
export interface LineCodec {
  /** Throws the `GatewayError` `invalid-request` for a body that is no chat. */
  request(body: JsonObject): JsonObject;
  /** Throws an `Error` for what is no answer. `id` and `created` are for answers without their own. */
  answer(wire: JsonObject, own: { readonly id: string; readonly created: number }): JsonObject;
  /** What an answer of the provider says that it used; undefined if it says nothing. */
  usage(wire: JsonObject): Usage | undefined;
}

/** What was made by others is of no provider that lines go to. */
const scope = '';

const without = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

const ownCodec = (provider: Provider, settings: JsonObject, dialect: Dialect): LineCodec => ({
  request: (body) => {
    const kept = without(body, dropOf(provider, settings));
    return provider.adapt?.(kept, 'chat', settings) ?? kept;
  },
  answer: (wire) => wire,
  usage: (wire) => dialect.usage?.(wire),
});

/** How the chats of a batch are written for a provider, by the codecs that other requests have. */
export const lineCodec = (catalogue: Catalogue, { provider: id, settings }: Account): LineCodec => {
  const provider = catalogue.providers.get(id);
  if (provider === undefined) throw gatewayError('unknown-provider', { provider: id, suggestion: '' });
  const served = servedAs('chat', {
    provider,
    spoken: undefined,
    dialectOf: (name) => catalogue.dialects.get(name),
  });
  if (served.kind === 'same') return ownCodec(provider, settings, served.dialect);
  if (served.kind === 'none')
    throw gatewayError('operation-not-supported', { provider: id, operation: 'conversations' });
  const { clientCodec, upstream, upstreamCodec } = served;
  const target = {
    ...{ provider: id, strict: true, scope, drop: new Set(dropOf(provider, settings)) },
    lacks: new Set(provider.lacks?.[upstream.id] ?? []),
  };
  return {
    request(body) {
      const { body: written } = upstreamCodec.encodeRequest(clientCodec.decodeRequest(body, { scope }), target);
      return provider.adapt?.(written, upstream.id, settings) ?? written;
    },
    answer: (wire, own) =>
      clientCodec.encodeAnswer(upstreamCodec.decodeAnswer(wire, { scope }), {
        ...{ provider: id, strict: true, streamUsage: false },
        ...own,
      }),
    usage: (wire) => upstream.usage?.(wire),
  };
};
