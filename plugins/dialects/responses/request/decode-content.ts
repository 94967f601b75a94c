import type { MediaPart, Part, TextPart } from '../../../../schema/conversation/conversation.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { decodeCache } from '../../shared/parts/cache-hint.ts';
import { decodeAudio, fileSource, toSource } from '../../shared/parts/openai-media.ts';
import { findExtensions, type KnownMembers } from '../../shared/parts/own-value.ts';
import { isContent } from '../parts/item-types.ts';
import { decodeOutputText } from '../parts/output-text.ts';

const partNames = ['type', 'file_id', 'cache_control', 'prompt_cache_breakpoint'];
const imagePart: KnownMembers = { names: new Set([...partNames, 'image_url', 'detail']) };
const filePart: KnownMembers = { names: new Set([...partNames, 'file_data', 'file_url', 'mime_type', 'filename']) };

const decodeImage = (wire: Member): MediaPart => {
  const id = wire.at('file_id').maybeText();
  const source = id === undefined ? toSource(wire.at('image_url').text(), 'image/jpeg') : { kind: 'file' as const, id };
  return defined({
    kind: 'media' as const,
    media: 'image' as const,
    source,
    detail: wire.at('detail').maybeText(),
    cache: decodeCache(wire),
    extensions: findExtensions(wire, imagePart),
  });
};

const decodeFile = (wire: Member): MediaPart =>
  defined({
    kind: 'media' as const,
    media: 'document' as const,
    source: fileSource(wire),
    name: wire.at('filename').maybeText(),
    cache: decodeCache(wire),
    extensions: findExtensions(wire, filePart),
  });

const decodeText = (wire: Member): TextPart =>
  defined({ kind: 'text' as const, text: wire.at('text').text(), cache: decodeCache(wire) });

const decodeModelText = (wire: Member): TextPart => {
  const { text, cache } = decodeText(wire);
  for (const name of ['annotations', 'logprobs']) wire.at(name).maybeItems();
  return { ...decodeOutputText(wire.object()), text, ...(cache && { cache }) };
};

const decodePart = (wire: Member): Part => {
  switch (wire.at('type').text()) {
    case 'input_text':
    case 'text':
      return decodeText(wire);
    case 'output_text':
      return decodeModelText(wire);
    case 'refusal':
      return { kind: 'refusal', text: wire.at('refusal').text() };
    case 'input_image':
      return decodeImage(wire);
    case 'input_file':
      return decodeFile(wire);
    case 'input_audio':
      return decodeAudio(wire);
    default: {
      const value = wire.object();
      // It would be written as a separate item, which its author did not send.
      return isContent(value)
        ? { kind: 'other', dialect: 'responses', value }
        : wire.at('type').fail('is not the type of a message part');
    }
  }
};

/** Decodes the content of a message or of a result: a string or a list of parts. An empty string has no parts. */
export const decodeContent = (content: Member): readonly Part[] => {
  if (content.absent || content.value === '') return [];
  if (typeof content.value === 'string') return [{ kind: 'text', text: content.value }];
  return content.items().map(decodePart);
};

/** Decodes instructions, which contain only text. */
export const decodeInstructions = (content: Member): readonly TextPart[] => {
  if (content.absent || content.value === '') return [];
  if (typeof content.value === 'string') return [{ kind: 'text', text: content.value }];
  return content.items().map((part) => {
    const type = part.at('type').text();
    return type.endsWith('text') ? decodeText(part) : part.at('type').fail('must be "input_text" in an instruction');
  });
};
