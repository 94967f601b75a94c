import type { Dialect } from '../sdk/dialect.ts';
import { decodeStreamError, encodeError, encodeStreamError, encodeWireError } from './chat/errors.ts';
import { readHttpError } from './wire/http-error.ts';

/**
 * OpenAI's embeddings: https://platform.openai.com/docs/api-reference/embeddings. Used only with providers of the same
 * dialect, so nothing is translated; it never streams, so every frame is content.
 */
export const embeddings: Dialect = {
  id: 'embeddings',
  operation: 'embed',
  classify: () => 'content',
  encodeError,
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
};
