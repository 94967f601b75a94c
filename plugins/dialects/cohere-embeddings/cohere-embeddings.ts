import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../cohere/parts/errors.ts';
import { cohereEmbeddings as declaration } from '../embeddings/declaration.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { splitLists } from '../shared/split-lists/split-lists.ts';
import { clientCodec } from './client-codec.ts';
import { decodeAnswer, encodeRequest, findUsage } from './codec.ts';
import { members } from './members.ts';
import { place } from './place.ts';

/** The members that both versions of Cohere's embed have in common. */
export const embed: Omit<Dialect, keyof typeof declaration> = {
  place,
  classify: () => 'content',
  ...errors,
  answerMembers: ['embeddings'],
  texts: memberTexts(members, ['texts', 'inputs']),
  members,
  usage: findUsage,
  metered: { meta: true },
  split: splitLists({ texts: ['texts', 'inputs'], vectors: 'embeddings', echoes: ['texts'], figures: 'meta' }),
};

/** Cohere's embed, version 2: https://docs.cohere.com/reference/embed. Its requests are translated to and from other formats. */
export const cohereEmbeddings: Dialect = {
  ...declaration,
  ...embed,
  clientCodecs: { embed: clientCodec },
  providerCodecs: { embed: { encodeRequest, decodeAnswer } },
};
