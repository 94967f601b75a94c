import { gatewayError } from '../../../../../schema/errors/errors.ts';
import type { ResponseBody } from '../../../../sdk/http/http.ts';
import { toBuffer } from '../../../../sdk/http/to-buffer.ts';
import { answerChunks } from './answer-chunks.ts';

/** The most bytes of an answer that is no file. */
const defaultLimit = 16 * 1024 * 1024;

/** The whole of an answer. Rejects with a `GatewayError` if it breaks off or is larger than `limit` bytes. */
export const answerBytes = async (body: ResponseBody, limit: number = defaultLimit): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answerChunks(body)) {
    length += chunk.length;
    if (length > limit) throw gatewayError('answer-too-large', { limit });
    chunks.push(toBuffer(chunk));
  }
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
};
