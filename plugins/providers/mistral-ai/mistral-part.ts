import { isJsonObject, type Json } from '../../../schema/json/json.ts';

/**
 * A part of a message: a file is the URL of a document, which may be a `data:` URL, and audio has no format.
 * https://docs.mistral.ai/capabilities/document_ai/document_qna, https://docs.mistral.ai/capabilities/audio
 */
export const mistralPart = (part: Json): Json => {
  if (!isJsonObject(part)) return part;
  const { type, file, input_audio: audio } = part;
  if (type === 'file' && isJsonObject(file) && typeof file.file_data === 'string') {
    const name = typeof file.filename === 'string' ? { document_name: file.filename } : {};
    return { type: 'document_url', document_url: file.file_data, ...name };
  }
  if (type === 'input_audio' && isJsonObject(audio) && typeof audio.data === 'string')
    return { type, input_audio: audio.data };
  return part;
};
