import type { RequestBody } from '../../../plugins/sdk/http.ts';
import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import { boundMark } from '../../../schema/bound.ts';

/** Such a value is a whole string, so the mark follows the quote that begins it. */
const mark: Buffer = Buffer.from(`"${boundMark}`);

/** Whether a JSON body may contain a bound value that names its scope. One search of the bytes tells. */
export const carriesBound = (body: RequestBody): boolean =>
  body.kind === 'bytes' && toBuffer(body.bytes).includes(mark);
