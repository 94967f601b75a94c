import type { Dialect, DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import type { DialectMembers } from '../../sdk/dialect/members.ts';
import { mediaStream } from '../audio/stream.ts';
import { findUsage } from '../audio/usage.ts';
import { errors } from '../chat/errors/errors.ts';
import { memberTexts } from '../wire/checked-texts/member-texts.ts';
import { all, facts, list, media, object, structural, text, value } from '../wire/checked-texts/members.ts';
import { editsDeclaration, variationsDeclaration } from './declaration.ts';

/** The fields of forms, and answers: https://platform.openai.com/docs/api-reference/images/createEdit. An image cannot be judged. */
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
  answer: object({
    data: list(object({ ...all('b64_json url', media), revised_prompt: text() })),
    ...all('created background output_format quality size', structural),
    usage: facts,
  }),
};

const toDialect = (declaration: DialectDeclaration): Dialect => ({
  ...declaration,
  ...mediaStream('image_edit.completed'),
  ...errors,
  texts: memberTexts(members),
  members,
  usage: findUsage,
  metered: { usage: true },
});

/** OpenAI's edits of images: https://platform.openai.com/docs/api-reference/images/createEdit */
export const imageEdits: Dialect = toDialect(editsDeclaration);

/** OpenAI's variations of images: https://platform.openai.com/docs/api-reference/images/createVariation */
export const imageVariations: Dialect = toDialect(variationsDeclaration);
