import type { Conversation } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { AnswerEdit } from '../dialect/answer-edit.ts';
import type {
  Adopted,
  ConversationCodec,
  Dialect,
  EncodedRequest,
  EncodeTarget,
  LackedContent,
} from '../dialect/dialect.ts';
import { findCompletion } from './find-completion.ts';
import { adaptsOwn, adaptsSome } from './own-form.ts';
import type { Provider } from './provider.ts';
import { readDrop } from './read-drop.ts';
import type { Served } from './resolve-served.ts';

/** Decodes and encodes the requests of a dialect, for answering a conversation or for counting its tokens. */
export type RequestCodec = Pick<ConversationCodec, 'decodeRequest' | 'encodeRequest'>;

/** A request that is decoded and encoded again: either translated, or within one dialect that supports it. */
export type Recoded =
  | Extract<Served, { readonly kind: 'translate' | 'count' }>
  | (Extract<Served, { readonly kind: 'same' }> & { readonly codec: RequestCodec });

/** How requests are decoded and encoded again for a provider. */
export interface Recoding {
  readonly clientCodec: Pick<RequestCodec, 'decodeRequest'>;
  readonly upstream: Dialect;
  readonly isTranslated: boolean;
  /** Encodes the request for the provider, and returns how answers are changed to match the original request. */
  write(conversation: Conversation, target: Pick<EncodeTarget, 'strict' | 'scope'>): RecodedRequest;
}

export interface RecodedRequest extends Omit<EncodedRequest, 'answers'> {
  readonly edits: readonly AnswerEdit[] | undefined;
}

/**
 * Returns how requests are decoded and encoded again. Within one dialect, everything is kept except what the provider is known to
 * reject.
 */
export const createRecoding = (
  served: Recoded,
  { provider, settings }: { provider: Provider; settings: JsonObject },
): Recoding => {
  const isTranslated = served.kind !== 'same';
  const upstream = isTranslated ? served.upstream : served.dialect;
  const upstreamCodec = isTranslated ? served.upstreamCodec : served.codec;
  const adapts = isTranslated || adaptsSome(provider, upstream);
  const drops = isTranslated || adaptsOwn(provider, upstream);
  const drop: ReadonlySet<string> = new Set(drops ? readDrop(provider, settings, upstream.id) : []);
  const lacks: ReadonlySet<LackedContent> = new Set(provider.lacks?.[upstream.id] ?? []);
  const loadsFiles = provider.loadsFiles === true;
  const { reasoningMember } = provider;
  return {
    clientCodec: isTranslated ? served.clientCodec : served.codec,
    upstream,
    isTranslated,
    write(conversation, { strict, scope }) {
      const target = { provider: provider.id, strict, drop, lacks, loadsFiles, reasoningMember, scope };
      const adopted: Adopted = (isTranslated ? upstream.adopt?.(conversation) : undefined) ?? { conversation };
      const { answers, ...written } = upstreamCodec.encodeRequest(adopted.conversation, target);
      // If answers are translated, their decoder works without what the provider leaves out.
      const completion = isTranslated ? undefined : findCompletion(provider, upstream, strict);
      const body = adapts ? provider.adapt?.(written.body, upstream.id, settings) : undefined;
      const edits = [...(completion ?? []), answers, adopted.answers].filter((edit) => edit !== undefined);
      return { ...written, body: body ?? written.body, edits: edits.length > 0 ? edits : undefined };
    },
  };
};
