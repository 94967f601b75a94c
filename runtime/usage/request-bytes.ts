import type { Json } from '../../schema/json/json.ts';

/** English text has about four bytes a token; of other languages and of code this is the right order of magnitude. */
const bytesOfToken = 4;

/** The tokens of so many bytes of text. */
export const estimatedTokens = (bytes: number): number => Math.ceil(bytes / bytesOfToken);

/** Images, sounds and files in a body: their tokens do not depend on their bytes. */
const isData = (text: string): boolean =>
  /^data:[^\s,]{0,256};base64,[A-Za-z0-9+/_=-]*$/.test(text) || /^[A-Za-z0-9+/_-]{512,}={0,2}$/.test(text);

/** The bytes of all texts in a request's body, but for data in base64. A number in a list is a token, as prompts may give them. */
export const requestBytes = (body: Json): number => {
  if (typeof body === 'string') return isData(body) ? 0 : Buffer.byteLength(body);
  if (Array.isArray(body))
    return body.reduce<number>((sum, item) => sum + (typeof item === 'number' ? bytesOfToken : requestBytes(item)), 0);
  if (body === null || typeof body !== 'object') return 0;
  return Object.values(body).reduce<number>((sum, value) => sum + (value === undefined ? 0 : requestBytes(value)), 0);
};
