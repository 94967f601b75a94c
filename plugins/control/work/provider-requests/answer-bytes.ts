import { GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import type { ResponseBody } from '../../../sdk/http/http.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';

/**
 * Yields the bytes of a response as they arrive, no faster than they are read. Throws a `GatewayError` if they break off. If the
 * caller stops early, the rest of the body is received and dropped.
 */
export async function* answerChunks(body: ResponseBody): AsyncGenerator<Uint8Array> {
  if (body.kind === 'bytes') {
    yield body.bytes;
    return;
  }
  // Undefined marks the end.
  const waiting: (Uint8Array | GatewayError | undefined)[] = [];
  let left = false;
  let wake = (): void => {};
  let drained = (): void => {};
  const add = (next: Uint8Array | GatewayError | undefined): void => {
    if (!left) waiting.push(next);
    wake();
  };
  const resume = (): void => {
    const run = drained;
    drained = () => {};
    run();
  };
  body.start({
    write: (chunk) => {
      add(Buffer.from(chunk));
      return left;
    },
    onDrain: (run) => {
      if (left) run();
      else drained = run;
    },
    end: () => add(undefined),
    fail: (error) => add(new GatewayError(error)),
  });
  body.onEnd((end) => {
    if (end !== 'complete') add(gatewayError('stream-cut', {}));
  });
  try {
    for (;;) {
      while (waiting.length > 0) {
        const next = waiting.shift();
        if (next === undefined) return;
        if (next instanceof GatewayError) throw next;
        yield next;
      }
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      resume();
      await more;
    }
  } finally {
    left = true;
    resume();
  }
}

/** The maximum size of a response that is not a file, in bytes. */
const defaultLimit = 16 * 1024 * 1024;

/** Reads a whole response. Rejects with a `GatewayError` if it breaks off or is larger than `limit` bytes. */
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
