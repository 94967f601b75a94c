import type { DialectMembers } from '../../sdk/dialect/members.ts';
import {
  all,
  echo,
  facts,
  list,
  media,
  object,
  structural,
  text,
  value,
  variants,
} from '../shared/checked-texts/members.ts';

const content = object({
  ...all('type', structural),
  text: text(),
  image_url: object({ url: media, detail: structural }),
});

/** https://docs.cohere.com/reference/embed, and its version 1. */
export const members: DialectMembers = {
  request: object({
    texts: list(value()),
    inputs: list(object({ content: list(variants('type', { text: content, image_url: content }, content)) })),
    images: media,
    ...all('model input_type embedding_types output_dimension truncate max_tokens priority', structural),
  }),
  answer: object({
    ...all('embeddings texts', echo),
    images: facts,
    ...all('id response_type', structural),
    meta: facts,
  }),
};
