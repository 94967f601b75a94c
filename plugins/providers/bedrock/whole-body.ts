import { gatewayError } from '../../../schema/errors.ts';
import type { RequestBody } from '../../sdk/http.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html */
const mostBytes = 25_000_000;

/** The body as bytes, since a signature covers all of it. Throws the `GatewayError` `body-too-large`. */
export const wholeBody = async (body: RequestBody): Promise<RequestBody> => {
  if (body.kind !== 'stream') return body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body.stream) {
    length += chunk.length;
    if (length > mostBytes) throw gatewayError('body-too-large', { limit: mostBytes });
    chunks.push(chunk);
  }
  return { kind: 'bytes', bytes: Buffer.concat(chunks) };
};
