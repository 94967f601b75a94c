import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../cohere/parts/errors.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { codec } from './codec.ts';
import { completion } from './completion.ts';
import { declaration } from './declaration.ts';
import { members } from './members.ts';
import { findUsage, metered } from './usage.ts';

/**
 * Cohere's rerank, and that of services that follow it: https://docs.cohere.com/reference/rerank. Requests to providers with
 * another format for it are translated. It never streams, so every frame is content.
 */
export const rerank: Dialect = {
  ...declaration,
  classify: () => 'content',
  completion,
  ...errors,
  answerMembers: ['results', 'data'],
  texts: memberTexts(members),
  members,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, ...metered },
  clientCodecs: { rerank: codec },
};
