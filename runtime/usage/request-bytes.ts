import type { Json } from '../../schema/json/json.ts';

/** English text has about four bytes per token. For other languages and code, this is the right order of magnitude. */
const bytesOfToken = 4;

/** Returns the estimated tokens of this many bytes of text. */
export const estimatedTokens = (bytes: number): number => Math.ceil(bytes / bytesOfToken);

/** Whether a text is an image, audio or a file, whose tokens do not depend on its bytes. */
const isData = (text: string): boolean =>
  /^data:[^\s,]{0,256};base64,[A-Za-z0-9+/_=-]*$/.test(text) || /^[A-Za-z0-9+/_-]{512,}={0,2}$/.test(text);

/**
 * Returns the bytes of all texts in a request's body, except for base64 data. A number in a list is a token, because prompts may
 * be given as tokens.
 */
export const requestBytes = (body: Json): number => {
  if (typeof body === 'string') return isData(body) ? 0 : Buffer.byteLength(body);
  if (Array.isArray(body))
    return body.reduce<number>((sum, item) => sum + (typeof item === 'number' ? bytesOfToken : requestBytes(item)), 0);
  if (body === null || typeof body !== 'object') return 0;
  return Object.values(body).reduce<number>((sum, value) => sum + (value === undefined ? 0 : requestBytes(value)), 0);
};
