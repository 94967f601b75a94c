import { fileText } from '../../shared/checked-texts/file-text.ts';
import {
  all,
  custom,
  echo,
  facts,
  list,
  type Member,
  type Members,
  media,
  object,
  structural,
  text,
  variants,
} from '../../shared/checked-texts/members.ts';

const common: Members = {
  ...all('type id status', structural),
  ...all('cache_control prompt_cache_breakpoint', facts),
};

const part = (members: Members): Member => object({ ...members, ...common });

/**
 * The members of an annotation, in which an answer quotes its sources:
 * https://platform.openai.com/docs/api-reference/responses/object
 */
export const annotation: Member = object(
  {
    ...all('title filename', text()),
    ...all('url file_id container_id index start_index end_index type', structural),
  },
  'citation',
);

const outputText = part({ annotations: list(annotation), text: text(), logprobs: echo, parsed: echo });
const words = part({ text: text() });

/** The URL of a file. A `data:` URL contains the file itself. */
const fileUrl = custom(
  (value, place, within) => {
    if (typeof value === 'string' && !/^data:/i.test(value)) return [];
    return fileText.is === 'custom' ? fileText.read(value, place, within) : [];
  },
  (given) => `data:text/plain,${encodeURIComponent(given)}`,
);

const file = part({
  file_data: fileText,
  file_url: fileUrl,
  filename: text('other'),
  ...all('file_id detail mime_type', structural),
});

const audio = part({ transcript: text(), ...all('data', media), format: structural, input_audio: media });

const image = part({ image_url: media, ...all('file_id detail', structural) });

/** A part of a message's content, of reasoning or of a tool's output: https://platform.openai.com/docs/api-reference/responses */
export const contentPart: Member = variants(
  'type',
  {
    output_text: outputText,
    input_text: words,
    text: words,
    summary_text: words,
    reasoning_text: object({ text: text(), ...common }, 'reasoning'),
    refusal: part({ refusal: text('refusal') }),
    output_audio: audio,
    input_audio: audio,
    input_image: image,
    computer_screenshot: image,
    input_file: file,
    encrypted_content: part({ encrypted_content: structural }),
  },
  part({
    annotations: list(annotation),
    ...all('title context text', text()),
    refusal: text('refusal'),
    transcript: text(),
    file_data: fileText,
    image_url: media,
  }),
);
