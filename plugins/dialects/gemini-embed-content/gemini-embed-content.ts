import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { geminiEmbedContent as declaration } from '../embeddings/declaration.ts';
import { errors } from '../gemini/parts/errors.ts';
import { singleClientCodec } from '../gemini-embeddings/client-codec.ts';
import { findUsage } from '../gemini-embeddings/codec.ts';
import { singleMembers } from '../gemini-embeddings/members.ts';
import { nameModel, placeSingle } from '../gemini-embeddings/place.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';

/** Google's embedContent, for its clients: https://ai.google.dev/api/embeddings#method:-models.embedcontent */
export const geminiEmbedContent: Dialect = {
  ...declaration,
  ...errors,
  place: placeSingle,
  withModel: nameModel,
  classify: () => 'content',
  answerMembers: ['embedding'],
  texts: memberTexts(singleMembers, ['content']),
  members: singleMembers,
  usage: findUsage,
  metered: { usageMetadata: true },
  clientCodecs: { embed: singleClientCodec },
};
