import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../chat/parts/errors.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { declaration } from './declaration.ts';
import { members } from './members.ts';
import { findUsage, metered } from './usage.ts';

/** Mistral's OCR: https://docs.mistral.ai/api/endpoint/ocr. It never streams, so every frame is content. */
export const ocr: Dialect = {
  ...declaration,
  classify: () => 'content',
  ...errors,
  answerMembers: ['pages'],
  texts: memberTexts(members),
  members,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, ...metered },
};
