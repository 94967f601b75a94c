import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { geminiEmbeddings as declaration } from '../embeddings/declaration.ts';
import { errors } from '../gemini/parts/errors.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { splitLists } from '../shared/split-lists/split-lists.ts';
import { batchClientCodec } from './client-codec.ts';
import { decodeAnswer, encodeRequest, findUsage } from './codec.ts';
import { batchMembers } from './members.ts';
import { nameModels, placeBatch } from './place.ts';

/** Google's batchEmbedContents: https://ai.google.dev/api/embeddings. Its requests are translated to and from other formats. */
export const geminiEmbeddings: Dialect = {
  ...declaration,
  ...errors,
  place: placeBatch,
  withModel: nameModels,
  classify: () => 'content',
  answerMembers: ['embeddings'],
  texts: memberTexts(batchMembers, ['requests']),
  members: batchMembers,
  usage: findUsage,
  metered: { usageMetadata: true },
  clientCodecs: { embed: batchClientCodec },
  providerCodecs: { embed: { encodeRequest, decodeAnswer } },
  split: splitLists({ texts: ['requests'], vectors: 'embeddings', figures: 'usageMetadata' }),
};
