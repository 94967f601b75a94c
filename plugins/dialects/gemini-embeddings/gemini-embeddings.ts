import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { findUsage } from '../gemini/answer/usage.ts';
import {
  decodeError,
  decodeStreamError,
  encodeStreamError,
  encodeWireError,
  retryAfter,
} from '../gemini/errors/errors.ts';
import { decodeAnswer, encodeRequest } from './codec.ts';
import { declaration } from './declaration.ts';

/** An embedding has no output. */
const findInput = (wire: JsonObject): Usage | undefined => {
  const usage = findUsage(wire);
  return usage && { ...usage, output: 0 };
};

/** Google's batchEmbedContents: https://ai.google.dev/api/embeddings. Requests of other formats become it. */
export const geminiEmbeddings: Dialect = {
  ...declaration,
  classify: () => 'content',
  encodeStreamError,
  decodeError,
  retryAfter,
  encodeWireError,
  decodeStreamError,
  usage: findInput,
  metered: { usageMetadata: true },
  embedding: { encodeRequest, decodeAnswer },
};
