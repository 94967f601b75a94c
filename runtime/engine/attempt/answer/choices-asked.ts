import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { jsonObjectOf } from '../../../body/read/json-object-of.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';

/** How many choices a request asks for, as its provider is sent it. A body is read only if it may ask for several. */
export const choicesAsked = ({ choicesAsked: asked }: Dialect, outgoing: OutgoingCall | undefined): number => {
  const body = outgoing?.request.body;
  if (asked === undefined || body?.kind !== 'bytes' || !toBuffer(body.bytes).includes(asked.mark)) return 1;
  const count = asked.of(jsonObjectOf(body.bytes) ?? {}) ?? 1;
  return Number.isInteger(count) && count > 1 ? count : 1;
};
