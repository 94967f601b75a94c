import type { GatewayResponse } from '../../../../sdk/http.ts';
import { toBuffer } from '../../../../sdk/to-buffer.ts';

/** All bytes of an answer; undefined if it breaks off, or is larger than `most` bytes. Then `stop` is called. */
export const wholeAnswer = (
  { body }: GatewayResponse,
  { most, stop }: { readonly most: number; readonly stop: () => void },
): Promise<Buffer | undefined> => {
  if (body.kind === 'bytes') return Promise.resolve(body.bytes.length > most ? undefined : toBuffer(body.bytes));
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    body.onEnd((end) => resolve(end === 'complete' && size <= most ? Buffer.concat(chunks) : undefined));
    body.start({
      write(chunk) {
        size += chunk.length;
        if (size <= most) chunks.push(Buffer.from(chunk));
        else stop();
        return true;
      },
      onDrain: (resume) => resume(),
      end: () => {},
      fail: () => resolve(undefined),
    });
  });
};
