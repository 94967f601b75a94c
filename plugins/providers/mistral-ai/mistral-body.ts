import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { asSystem } from '../shared/as-system.ts';
import { withAcceptedIds } from './mistral-ids.ts';
import { chatWithOwnNames } from './own-names.ts';
import { toMistralTurn } from './to-mistral-turn.ts';

/**
 * Converts a part of a message: a file becomes the URL of a document, which may be a `data:` URL, audio has no format, and a
 * refusal becomes a text.
 * https://docs.mistral.ai/capabilities/document_ai/document_qna, https://docs.mistral.ai/capabilities/audio
 */
const mistralPart = (part: Json): Json => {
  if (!isJsonObject(part)) return part;
  const { type, file, input_audio: audio } = part;
  if (type === 'file' && isJsonObject(file) && typeof file.file_data === 'string') {
    const name = typeof file.filename === 'string' ? { document_name: file.filename } : {};
    return { type: 'document_url', document_url: file.file_data, ...name };
  }
  if (type === 'input_audio' && isJsonObject(audio) && typeof audio.data === 'string')
    return { type, input_audio: audio.data };
  if (type === 'refusal' && typeof part.refusal === 'string') return { type: 'text', text: part.refusal };
  return part;
};

const message = (wire: Json): Json => {
  const said = asSystem(toMistralTurn(wire));
  return isJsonObject(said) && Array.isArray(said.content) ? { ...said, content: said.content.map(mistralPart) } : said;
};

/** Converts a chat of OpenAI's clients to Mistral's form. */
export const mistralBody = (wire: JsonObject): JsonObject => {
  const { messages, ...body } = wire;
  return {
    ...chatWithOwnNames(body),
    ...(messages === undefined
      ? {}
      : { messages: Array.isArray(messages) ? withAcceptedIds(messages.map(message)) : messages }),
    ...(body.tool_choice === 'required' ? { tool_choice: 'any' } : {}),
  };
};
