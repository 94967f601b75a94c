import type { DialectMembers } from '../../sdk/dialect/members.ts';
import {
  all,
  echo,
  facts,
  instructions,
  json,
  list,
  media,
  object,
  structural,
  text,
  variants,
} from '../shared/checked-texts/members.ts';

/** Only the model can read a document, wherever it is. */
const named = { document_name: text('other'), type: structural } as const;
const anyDocument = object({ ...all('document_url image_url file_id', media), ...named });

const image = object({
  image_base64: media,
  image_annotation: json(),
  ...all('id top_left_x top_left_y bottom_right_x bottom_right_y', structural),
});

/** A piece of a page, with the position of its words. The page's text contains them too. */
const block = object({
  content: text(),
  confidence_scores: echo,
  ...all('id image_id table_id type top_left_x top_left_y bottom_right_x bottom_right_y level language', structural),
});

const page = object({
  ...all('markdown header footer', text()),
  images: list(image),
  tables: list(object({ content: text(), word_confidence_scores: echo, ...all('id format', structural) })),
  blocks: list(block),
  hyperlinks: list(structural),
  dimensions: facts,
  confidence_scores: echo,
  index: structural,
});

/** https://docs.mistral.ai/api/endpoint/ocr */
export const members: DialectMembers = {
  request: object({
    document: variants('type', { document_url: anyDocument, image_url: anyDocument, file: anyDocument }, anyDocument),
    document_annotation_prompt: text(),
    ...all('bbox_annotation_format document_annotation_format', instructions),
    pages: facts,
    ...all(
      `model id include_image_base64 image_limit image_min_size table_format extract_header extract_footer include_blocks
      confidence_scores_granularity`,
      structural,
    ),
  }),
  answer: object({
    pages: list(page),
    document_annotation: json(),
    ...all('id object model', structural),
    ...all('usage_info usage', facts),
  }),
};
