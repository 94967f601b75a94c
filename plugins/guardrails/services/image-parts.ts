import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText } from '../../../schema/json/loose.ts';

/** An image as bytes. */
export interface Image {
  /** `image/png`. */
  readonly mimeType: string;
  /** In base64. */
  readonly data: string;
}

/** Part of a message that shows an image by its URL. */
export interface ImagePart {
  readonly url: string;
  /** Returns the same part with the image itself. */
  inline(image: Image): JsonObject;
}

const dataUrl = ({ mimeType, data }: Image): string => `data:${mimeType};base64,${data}`;

/** OpenAI's chat: https://platform.openai.com/docs/api-reference/chat/create */
const inChat = (part: JsonObject): ImagePart | undefined => {
  const { type, image_url: shown } = part;
  const url = isJsonObject(shown) ? findText(shown.url) : undefined;
  if (type !== 'image_url' || !isJsonObject(shown) || url === undefined) return undefined;
  return { url, inline: (image) => ({ ...part, image_url: { ...shown, url: dataUrl(image) } }) };
};

/** OpenAI's responses: https://platform.openai.com/docs/api-reference/responses/create */
const inResponses = (part: JsonObject): ImagePart | undefined => {
  const url = findText(part.image_url);
  if (part.type !== 'input_image' || url === undefined) return undefined;
  return { url, inline: (image) => ({ ...part, image_url: dataUrl(image) }) };
};

/** Anthropic's messages: https://docs.claude.com/en/api/messages */
const inMessages = (part: JsonObject): ImagePart | undefined => {
  const { type, source } = part;
  const url = isJsonObject(source) && source.type === 'url' ? findText(source.url) : undefined;
  if (type !== 'image' || url === undefined) return undefined;
  return {
    url,
    inline: ({ mimeType, data }) => ({ ...part, source: { type: 'base64', media_type: mimeType, data } }),
  };
};

/** Gemini's parts may be in snake case, and can also show videos and files: https://ai.google.dev/api/caching#Part */
const inGemini = (part: JsonObject): ImagePart | undefined => {
  const { fileData, file_data: snake, ...others } = part;
  const file = findObject(fileData) ?? findObject(snake) ?? {};
  const url = findText(file.fileUri) ?? findText(file.file_uri);
  const mimeType = findText(file.mimeType) ?? findText(file.mime_type) ?? '';
  // Files stored by the vendor itself have URLs that nobody else can read.
  if (url === undefined || !mimeType.startsWith('image/') || url.includes('generativelanguage.googleapis.com'))
    return undefined;
  return { url, inline: (image) => ({ ...others, inlineData: { ...image } }) };
};

/** Returns the image that a part shows by a web URL, in any vendor's format. */
export const imagePart = (part: JsonObject): ImagePart | undefined => {
  const found = inChat(part) ?? inResponses(part) ?? inMessages(part) ?? inGemini(part);
  return found !== undefined && /^https?:\/\//i.test(found.url) ? found : undefined;
};
