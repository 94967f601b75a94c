import { isContextOverflow } from '../../../../../schema/errors/context-overflow.ts';
import { isSuccess } from '../../../../../schema/http/status.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { GatewayResponse } from '../../../../sdk/http/http.ts';
import { toBuffer } from '../../../../sdk/http/to-buffer.ts';

/** Numbers of tokens: `200,000`, `204857`. */
const counts = /\d[\d,_]{2,}/g;

const defaultPart = 0.5;
/** Bytes are not tokens, so somewhat less is kept than the numbers say. */
const margin = 0.9;

/**
 * What part of a conversation an error says may stay: of its two largest numbers the smaller is the window, and the larger
 * what was sent. Undefined for any other answer.
 */
export const findOverflow = ({ status, body }: GatewayResponse): number | undefined => {
  if (isSuccess(status) || body.kind !== 'bytes') return undefined;
  const error = findObject(parseObject(toBuffer(body.bytes).toString())?.error);
  const message = findText(error?.message) ?? '';
  if (!isContextOverflow(status, { message, code: findText(error?.code) })) return undefined;
  const numbers = (message.match(counts) ?? []).map((count) => Number(count.replaceAll(/[,_]/g, '')));
  const [used, window] = numbers.sort((a, b) => b - a);
  return used === undefined || window === undefined || window >= used ? defaultPart : (window / used) * margin;
};
