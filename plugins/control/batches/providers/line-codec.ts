import type { Usage } from '../../../../schema/conversation.ts';
import { gatewayError } from '../../../../schema/errors.ts';
import type { JsonObject } from '../../../../schema/json.ts';
import { textOf } from '../../../../schema/loose.ts';
import type { Catalogue } from '../../../sdk/catalogue.ts';
import type { Dialect } from '../../../sdk/dialect.ts';
import { dropOf } from '../../../sdk/drop-of.ts';
import type { Provider } from '../../../sdk/provider.ts';
import { type ServedOptions, servedAs } from '../../../sdk/served-as.ts';
import type { Account } from '../../accounts/account.ts';

/** What an answer does not say itself. */
export interface AnswerOf {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model?: string | undefined;
}

/** The bodies of chats in the dialect of a provider, and its answers as chats. */
export interface LineCodec extends ModelCodec {
  /** How a provider has a model: its name there, and the dialect that its requests are written in. */
  servedModel(model: string): { readonly name: string; readonly dialect: string };
}

interface ModelCodec {
  /** Throws the `GatewayError`s `invalid-request` for a body that is no chat, and `operation-not-supported`. */
  request(body: JsonObject): JsonObject;
  /** Throws an `Error` for what is no answer. */
  answer(wire: JsonObject, own: AnswerOf): JsonObject;
  /** What an answer of the provider says that it used; undefined if it says nothing. */
  usage(wire: JsonObject, model?: string): Usage | undefined;
}

/** What was made by others is of no provider that lines go to. */
const scope = '';

const without = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

interface DialectCodec extends ModelCodec {
  readonly dialect: string;
}

const ownCodec = (provider: Provider, settings: JsonObject, dialect: Dialect): DialectCodec => ({
  dialect: 'chat',
  request: (body) => {
    const kept = without(body, dropOf(provider, settings));
    return provider.adapt?.(kept, 'chat', settings) ?? kept;
  },
  answer: (wire) => wire,
  usage: (wire) => dialect.usage?.(wire),
});

const codecFor = (
  catalogue: Catalogue,
  { provider, settings, spoken }: Pick<ServedOptions, 'provider' | 'spoken'> & Pick<Account, 'settings'>,
): DialectCodec => {
  const { id } = provider;
  const served = servedAs('chat', { provider, spoken, dialectOf: (name) => catalogue.dialects.get(name) });
  if (served.kind === 'same') return ownCodec(provider, settings, served.dialect);
  if (served.kind === 'none')
    throw gatewayError('operation-not-supported', { provider: id, operation: 'conversations' });
  const { clientCodec, upstream, upstreamCodec } = served;
  const target = {
    ...{ provider: id, strict: true, scope, drop: new Set(dropOf(provider, settings)) },
    lacks: new Set(provider.lacks?.[upstream.id] ?? []),
  };
  return {
    dialect: upstream.id,
    request(body) {
      const { body: written } = upstreamCodec.encodeRequest(clientCodec.decodeRequest(body, { scope }), target);
      return provider.adapt?.(written, upstream.id, settings) ?? written;
    },
    answer: (wire, { model, ...own }) =>
      clientCodec.encodeAnswer(upstreamCodec.decodeAnswer(wire, { scope, ...(model === undefined ? {} : { model }) }), {
        ...{ provider: id, strict: true, streamUsage: false },
        ...own,
      }),
    usage: (wire) => upstream.usage?.(wire),
  };
};

/** How the chats of a batch are written for a provider, by the codecs that other requests have. */
export const lineCodec = (catalogue: Catalogue, { provider: id, settings }: Account): LineCodec => {
  const provider = catalogue.providers.get(id);
  if (provider === undefined) throw gatewayError('unknown-provider', { provider: id, suggestion: '' });
  const codecs = new Map<string, DialectCodec>();
  /** What a provider speaks may depend on the model. */
  const of = (model: string | undefined): DialectCodec => {
    const spoken = provider.dialectsOf?.(model, settings);
    const key = spoken?.join(' ') ?? '';
    const codec = codecs.get(key) ?? codecFor(catalogue, { provider, settings, spoken });
    codecs.set(key, codec);
    return codec;
  };
  return {
    servedModel: (model) => ({ name: provider.bodyModel?.(model, settings) ?? model, dialect: of(model).dialect }),
    request: (body) => of(textOf(body.model)).request(body),
    answer: (wire, own) => of(own.model).answer(wire, own),
    usage: (wire, model) => of(model).usage(wire),
  };
};
