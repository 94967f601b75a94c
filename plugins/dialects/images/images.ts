import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { errors } from '../chat/parts/errors.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { codec } from './codec.ts';
import { declaration } from './declaration.ts';
import { members } from './members.ts';
import { pictureAnswers } from './picture-answers.ts';

/**
 * OpenAI's images: https://platform.openai.com/docs/api-reference/images. Requests to providers with another format for images
 * are translated.
 */
export const images: Dialect = {
  ...declaration,
  ...pictureAnswers,
  ...errors,
  texts: memberTexts(members, ['prompt']),
  members,
  clientCodecs: { image: codec },
};
