import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../chat/parts/errors.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { codec } from './codec.ts';
import { embeddings as declaration } from './declaration.ts';
import { inForm } from './in-form.ts';
import { members } from './members.ts';
import { providerCodec } from './provider-codec.ts';
import { split } from './split.ts';
import { findUsage } from './usage.ts';

/**
 * OpenAI's embeddings: https://platform.openai.com/docs/api-reference/embeddings. Requests to providers with another format for
 * embeddings, and answers to clients with another one, are translated. It never streams, so every frame is content.
 */
export const embeddings: Dialect = {
  ...declaration,
  classify: () => 'content',
  ...errors,
  answerMembers: ['data'],
  texts: memberTexts(members, ['input']),
  members,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, usage: true },
  clientCodecs: { embed: codec },
  providerCodecs: { embed: providerCodec },
  inForm,
  split,
};
