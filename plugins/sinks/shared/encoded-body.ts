import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** Returns a body, with the header for its compression. */
export const encodedBody = async (
  text: string,
  isCompressed: boolean,
): Promise<{ readonly body: Uint8Array | string; readonly headers: Readonly<Record<string, string>> }> =>
  isCompressed ? { body: await compress(text), headers: { 'content-encoding': 'gzip' } } : { body: text, headers: {} };
