import type { DialectMembers } from '../../sdk/dialect/members.ts';
import {
  all,
  facts,
  list,
  media,
  object,
  structural,
  text,
  textOr,
  variants,
} from '../shared/checked-texts/members.ts';

const part = variants(
  'type',
  {
    text: object({ text: text(), type: structural }),
    image_url: object({ image_url: media, type: structural }),
  },
  object({ text: text(), image_url: media, type: structural }),
);

/**
 * https://platform.openai.com/docs/api-reference/moderations: a text, a list of texts, or texts and images of one message.
 * Mistral adds `metadata`: https://docs.mistral.ai/api/endpoint/classifiers. Verdicts are numbers.
 */
export const members: DialectMembers = {
  request: object({
    input: textOr(list(textOr(part))),
    ...all('model user', structural),
    metadata: facts,
  }),
  answer: object({
    results: list(
      object({ ...all('categories category_scores category_applied_input_types', facts), flagged: structural }),
    ),
    ...all('id model object created', structural),
    usage: facts,
  }),
};
