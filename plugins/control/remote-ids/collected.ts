import { GatewayError, gatewayError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { parseObject } from '../../../schema/parse-json.ts';
import type { GatewayResponse, ResponseBody } from '../../sdk/http.ts';

/** The largest answer of a provider that is read whole. */
const mostBytes = 16 * 1024 * 1024;

const bytesOf = (body: ResponseBody): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    if (body.kind === 'bytes') return resolve(body.bytes);
    const pieces: Uint8Array[] = [];
    let length = 0;
    body.start({
      write(piece) {
        length += piece.length;
        if (length > mostBytes) reject(gatewayError('answer-too-large', { limit: mostBytes }));
        else pieces.push(piece);
        return true;
      },
      onDrain: (resume) => resume(),
      end: () => resolve(Buffer.concat(pieces)),
      fail: (error) => reject(new GatewayError(error)),
    });
  });

/** An answer that was read whole. */
export interface Collected {
  readonly answer: GatewayResponse;
  /** What it says, where that is a JSON object and the provider did what it was asked for. */
  readonly said: JsonObject | undefined;
}

/**
 * Reads an answer of the data path whole, which must come without a content-encoding. Rejects with the `GatewayError`
 * `answer-too-large`, or that of a body that breaks off.
 */
export const collected = async (answer: GatewayResponse): Promise<Collected> => {
  const bytes = await bytesOf(answer.body);
  const isDone = answer.origin === 'upstream' && answer.status >= 200 && answer.status < 300;
  return {
    answer: { ...answer, body: { kind: 'bytes', bytes } },
    said: isDone ? parseObject(Buffer.from(bytes).toString()) : undefined,
  };
};
