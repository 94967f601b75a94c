import {
  list,
  type Member,
  type Members,
  media,
  object,
  structural,
  text,
  variants,
} from '../../shared/checked-texts/members.ts';
import { citation } from './citations.ts';
import { cached } from './settings.ts';

/** `signature` is the gateway's own member: a value from another service that came after the text. */
export const textBlock: Member = object({
  citations: list(citation),
  text: text(),
  type: structural,
  signature: structural,
  ...cached,
});

/** A file that is stored elsewhere and cannot be read here. */
export const elsewhere: Members = {
  url: object({ type: structural, url: media }),
  file: object({ type: structural, file_id: media }),
};

const encoded = object({ type: structural, media_type: structural, data: media });

/** https://docs.anthropic.com/en/docs/build-with-claude/vision */
const image = object({
  source: variants('type', { base64: encoded, ...elsewhere }, encoded),
  type: structural,
  transformations: object({ oversized_image: structural }),
  ...cached,
});

/** The parts of documents, which messages can contain too. */
export const parts: Members = { text: textBlock, image };

export const part: Member = variants('type', parts, textBlock);
