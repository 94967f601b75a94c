import type { JsonObject } from '../../../schema/json/json.ts';
import { mutateBytes } from '../mutate/bytes.ts';
import { mutateJson } from '../mutate/json.ts';
import { writeOdd } from '../mutate/values.ts';
import type { Random } from './random.ts';
import type { Subject } from './subject.ts';

/** Returns the text of a body with some wrong values or bytes. */
export const oddBody = (bodies: readonly JsonObject[], { pool }: Subject, random: Random): string => {
  const body = random.pick(bodies);
  const text = random.oneIn(8) ? JSON.stringify(body) : writeOdd(mutateJson(body, random, pool));
  if (!random.oneIn(8)) return text;
  return mutateBytes(Buffer.from(text), Buffer.from(JSON.stringify(random.pick(bodies))), random).toString();
};
