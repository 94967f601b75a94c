import type { Dialect, DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import type { DialectMembers } from '../../sdk/dialect/members.ts';
import { errors } from '../chat/parts/errors.ts';
import { members as ofImages } from '../images/members.ts';
import { pictureAnswers } from '../images/picture-answers.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { all, media, object, structural, value } from '../shared/checked-texts/members.ts';
import { editsDeclaration, variationsDeclaration } from './declaration.ts';

/** The fields of forms: https://platform.openai.com/docs/api-reference/images/createEdit. An image cannot be judged. */
const members: DialectMembers = {
  request: object({
    ...all('image images mask', media),
    prompt: value(),
    ...all(
      `model n size quality background input_fidelity output_format output_compression partial_images response_format
      stream user moderation`,
      structural,
    ),
  }),
  answer: ofImages.answer,
};

const toDialect = (declaration: DialectDeclaration): Dialect => ({
  ...declaration,
  ...pictureAnswers,
  ...errors,
  texts: memberTexts(members),
  members,
});

/** OpenAI's edits of images: https://platform.openai.com/docs/api-reference/images/createEdit */
export const imageEdits: Dialect = toDialect(editsDeclaration);

/** OpenAI's variations of images: https://platform.openai.com/docs/api-reference/images/createVariation */
export const imageVariations: Dialect = toDialect(variationsDeclaration);
