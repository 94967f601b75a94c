import { fileText } from '../../shared/checked-texts/file-text.ts';
import {
  all,
  facts,
  lazy,
  list,
  type Member,
  type Members,
  media,
  object,
  structural,
  text,
  textOr,
  variants,
} from '../../shared/checked-texts/members.ts';

const common: Members = { ...all('type id index', structural), ...all('cache_control prompt_cache_breakpoint', facts) };

const part = (members: Members): Member => object({ ...members, ...common });

const words = part({ text: text() });

const file = object({
  ...all('file_data content data', fileText),
  ...all('filename name', text('other')),
  ...all('file_id file_url mime_type format', structural),
});

/** A part without a known type. Lenient providers read whatever it has. */
const anyPart = part({
  thinking: lazy(() => thoughts),
  text: text(),
  refusal: text('refusal'),
  content: textOr(list(lazy(() => contentPart))),
  ...all('file_data', fileText),
  file,
  ...all('image_url input_audio video_url', media),
});

/** https://docs.mistral.ai/capabilities/reasoning: thinking is a text, or a list of parts. */
const thoughts: Member = object({ thinking: textOr(list(lazy(() => contentPart))) }, 'reasoning');

/**
 * A part of a message's content: https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages. Providers add
 * thinking, documents and references (https://docs.mistral.ai/api), and videos.
 */
const contentPart: Member = variants(
  'type',
  {
    text: words,
    input_text: words,
    output_text: words,
    refusal: part({ refusal: text('refusal') }),
    thinking: object(
      { thinking: textOr(list(lazy(() => contentPart))), ...all('signature closed', structural), ...common },
      'reasoning',
    ),
    image_url: part({ image_url: media, detail: structural }),
    input_audio: part({ input_audio: media }),
    video_url: part({ video_url: media }),
    file: part({ file }),
    document_url: part({ document_url: media, document_name: text('other') }),
    reference: part({ reference_ids: facts }),
  },
  anyPart,
);

/** A message's content: a text, or parts. */
export const content: Member = textOr(list(contentPart));
