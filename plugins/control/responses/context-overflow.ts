import { objectOf, textOf } from '../../../schema/loose.ts';
import { parseObject } from '../../../schema/parse-json.ts';
import type { GatewayResponse } from '../../sdk/http.ts';
import { toBuffer } from '../../sdk/to-buffer.ts';

/** How providers say that a conversation is longer than the context window of its model. */
const words =
  /context[ _-]?(?:length|window)|maximum context|prompt is too long|input (?:is )?too long|too many (?:input )?tokens|exceeds? the maximum number of tokens|token count .* exceeds/i;

/** Numbers of tokens: `200,000`, `204857`. */
const counts = /\d[\d,_]{2,}/g;

const usualPart = 0.5;
/** Bytes are not tokens, so somewhat less is kept than the numbers say. */
const margin = 0.9;

/**
 * What part of a conversation an error says may stay: of its two largest numbers the smaller is the window, and the larger
 * what was sent. Undefined for any other answer.
 */
export const overflowOf = ({ status, body }: GatewayResponse): number | undefined => {
  if ((status !== 400 && status !== 413 && status !== 422) || body.kind !== 'bytes') return undefined;
  const error = objectOf(parseObject(toBuffer(body.bytes).toString())?.error);
  const message = textOf(error?.message) ?? '';
  if (error?.code !== 'context_length_exceeded' && !words.test(message)) return undefined;
  const numbers = (message.match(counts) ?? []).map((count) => Number(count.replaceAll(/[,_]/g, '')));
  const [used, window] = numbers.sort((a, b) => b - a);
  return used === undefined || window === undefined || window >= used ? usualPart : (window / used) * margin;
};
