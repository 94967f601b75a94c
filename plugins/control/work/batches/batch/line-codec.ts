import { requireNames } from '../../../../../schema/conversation/answer-parts.ts';
import type { Usage } from '../../../../../schema/conversation/conversation.ts';
import { GatewayError, gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import type { AnswerEdit } from '../../../../sdk/dialect/answer-edit.ts';
import { uniformError } from '../../../../sdk/dialect/uniform-error.ts';
import type { Catalogue } from '../../../../sdk/plugin/catalogue.ts';
import { findCompletion } from '../../../../sdk/provider/find-completion.ts';
import { mayContainLacked } from '../../../../sdk/provider/may-contain-lacked.ts';
import { ownForm } from '../../../../sdk/provider/own-form.ts';
import type { Provider } from '../../../../sdk/provider/provider.ts';
import { createRecoding, type RecodedRequest } from '../../../../sdk/provider/recoded.ts';
import { resolveServed, type Served, type ServedOptions } from '../../../../sdk/provider/resolve-served.ts';
import type { Account } from '../../provider-requests/account.ts';
import type { BatchLine } from './batch-lines.ts';

const findEdits = (codec: LineCodec, { body }: BatchLine): readonly AnswerEdit[] | undefined => {
  try {
    return codec.edits(body);
  } catch (error) {
    // Another process of another version may have sent the line.
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

/**
 * Finds the edits of the answers to the lines of a batch. Providers return lines in any order, so edits are stored by
 * `custom_id`.
 */
export const lineEdits = async (lines: AsyncIterable<BatchLine>, codec: LineCodec): Promise<LineEdits> => {
  const found = new Map<string, readonly AnswerEdit[]>();
  for await (const line of lines) {
    const edits = findEdits(codec, line);
    if (edits !== undefined) found.set(line.customId, edits);
  }
  return found;
};

/** The members that the provider's answer does not contain. */
export interface AnswerOf {
  readonly id: string;
  readonly customId: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model?: string | undefined;
}

/** Writes chats in the dialect of a provider, and reads the provider's answers as chats. */
export interface LineCodec extends ModelCodec<AnswerOf> {
  /** Returns the name of a model at its provider, and the dialect of its requests. */
  servedModel(model: string): { readonly name: string; readonly dialect: string };
  /** Whether the answers to some requests may need more edits than all others. */
  readonly mayEdit: boolean;
  /** Creates a codec that applies these edits to answers. */
  answering(edits: LineEdits): LineCodec;
}

/** The edits of answers that need more than all others, by the `custom_id` of their lines. */
export type LineEdits = ReadonlyMap<string, readonly AnswerEdit[]>;

interface ModelCodec<Own> {
  /** Throws the `GatewayError` `invalid-request` if the body is not a chat, and `operation-not-supported`. */
  request(body: JsonObject): JsonObject;
  /** Returns the edits of the answer to this request; undefined if it needs no more than all answers. Throws like `request`. */
  edits(body: JsonObject): readonly AnswerEdit[] | undefined;
  /** Throws an `Error` if the value is not an answer. */
  answer(wire: JsonObject, own: Own): JsonObject;
  /** Converts an error response of the provider. */
  error(wire: JsonObject, status: number, model?: string): JsonObject;
  /** Reads the usage in a provider's answer; undefined if it has none. */
  usage(wire: JsonObject, model?: string): Usage | undefined;
}

/** The scope of values that were made elsewhere and belong to no provider that receives lines. */
const scope = '';
/** Lines and their answers are written as for clients of which nothing else is known. */
const strict = true;

interface EditedAnswer extends Omit<AnswerOf, 'customId'> {
  readonly edits: readonly AnswerEdit[] | undefined;
}

interface DialectCodec extends ModelCodec<EditedAnswer> {
  readonly dialect: string;
}

interface At {
  readonly provider: Provider;
  readonly settings: JsonObject;
}

const edited = (wire: JsonObject, edits: readonly AnswerEdit[] = []): JsonObject =>
  edits.reduce((body, edit) => edit.whole(body), wire);

/**
 * Creates the codec for a provider that speaks the dialect itself. The bytes change no more than those of other requests and
 * answers.
 */
const ownCodec = (served: Extract<Served, { kind: 'same' }>, at: At): DialectCodec => {
  const { dialect } = served;
  const { provider } = at;
  const codec = dialect.conversation;
  const completion = findCompletion(provider, dialect, strict);
  const recoded = (body: JsonObject): RecodedRequest | undefined => {
    if (codec === undefined || !mayContainLacked(JSON.stringify(body), provider, dialect)) return undefined;
    return createRecoding({ ...served, codec }, at).write(codec.decodeRequest(body, { scope }), { strict, scope });
  };
  return {
    dialect: dialect.id,
    request: (body) => recoded(body)?.body ?? ownForm(body, { ...at, dialect }).body,
    edits: (body) => recoded(body)?.edits,
    answer: (wire, { edits = completion }) => edited(wire, edits),
    error(value, status) {
      const answered = { status, headers: [], value, text: JSON.stringify(value) };
      return (provider.errorsVary === true ? uniformError(dialect, answered) : undefined) ?? value;
    },
    usage: (wire) => dialect.usage?.(wire),
  };
};

const translatedCodec = (served: Extract<Served, { kind: 'translate' }>, at: At): DialectCodec => {
  const { client, clientCodec, upstream, upstreamCodec } = served;
  const { id } = at.provider;
  const { write } = createRecoding(served, at);
  const recoded = (body: JsonObject): RecodedRequest =>
    write(clientCodec.decodeRequest(body, { scope }), { strict, scope });
  return {
    dialect: upstream.id,
    request: (body) => recoded(body).body,
    // Only tools are written differently.
    edits: (body) => (body.tools === undefined ? undefined : recoded(body).edits),
    answer(wire, { model, edits, ...own }) {
      const answer = upstreamCodec.decodeAnswer(edited(wire, edits), {
        scope,
        ...(model === undefined ? {} : { model }),
      });
      requireNames(answer);
      return clientCodec.encodeAnswer(answer, { ...{ provider: id, strict, streamUsage: false }, ...own });
    },
    error: (wire, status) => client.encodeWireError(upstream.decodeError(status, JSON.stringify(wire)), status),
    usage: (wire) => upstream.usage?.(wire),
  };
};

const codecFor = (
  catalogue: Catalogue,
  { provider, settings, spoken }: Pick<ServedOptions, 'provider' | 'spoken'> & Pick<Account, 'settings'>,
): DialectCodec => {
  const { id } = provider;
  const served = resolveServed('chat', { provider, spoken, findDialect: (name) => catalogue.dialects.get(name) });
  switch (served.kind) {
    case 'same':
      return ownCodec(served, { provider, settings });
    case 'translate':
      return translatedCodec(served, { provider, settings });
    case 'count':
    case 'estimate':
    case 'operation':
    case 'passed':
    case 'none':
      throw gatewayError('operation-not-supported', { provider: id, operation: 'conversations' });
  }
};

/** Creates the codec that writes the chats of a batch for a provider, from the codecs of other requests. */
export const lineCodec = (catalogue: Catalogue, { provider: id, settings }: Account): LineCodec => {
  const provider = catalogue.providers.get(id);
  if (provider === undefined) throw gatewayError('unknown-provider', { provider: id, suggestion: '' });
  const codecs = new Map<string, DialectCodec>();
  /** Returns the codec, which may depend on the model. */
  const of = (model: string | undefined): DialectCodec => {
    const spoken = provider.dialectsOf?.(model, settings);
    const key = spoken?.join(' ') ?? '';
    const codec = codecs.get(key) ?? codecFor(catalogue, { provider, settings, spoken });
    codecs.set(key, codec);
    return codec;
  };
  const answering = (edits: LineEdits): LineCodec => ({
    servedModel: (model) => ({ name: provider.bodyModel?.(model, settings) ?? model, dialect: of(model).dialect }),
    answering,
    mayEdit:
      provider.lacks !== undefined || provider.dialectsOf !== undefined || !Object.hasOwn(provider.speaks, 'chat'),
    request: (body) => of(findText(body.model)).request(body),
    edits: (body) => of(findText(body.model)).edits(body),
    answer: (wire, { customId, ...own }) => of(own.model).answer(wire, { ...own, edits: edits.get(customId) }),
    error: (wire, status, model) => of(model).error(wire, status),
    usage: (wire, model) => of(model).usage(wire),
  });
  return answering(new Map());
};
