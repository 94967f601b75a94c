import type { CacheEntry } from '../../../../plugins/sdk/cache/cache.ts';
import type { Frame } from '../../../../plugins/sdk/dialect/frame.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';
import { clientFraming } from '../../call/client-framing.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { remembering } from '../../call/named-items.ts';

/** Returns the last frame of a stored stream, which has the whole answer. */
const lastFrame = (call: LeafCall, bytes: Uint8Array): Frame | undefined => {
  const splitter = framings[clientFraming(call)].createSplitter();
  const frames = [...splitter.push(Buffer.from(bytes)).frames, ...splitter.rest().frames];
  return frames.findLast(({ data }) => data.startsWith('{'));
};

const wholeAnswer = (call: LeafCall, { body, isStream }: CacheEntry): JsonObject | undefined =>
  isStream ? parseObject(lastFrame(call, body)?.data ?? '') : findJsonObject(body);

/**
 * Remembers the items of a stored answer as they were when it was created. Its client names them by their ids, which may have
 * been forgotten since, or were returned by another process.
 */
export const rememberAgain = (call: LeafCall, entry: CacheEntry): void => {
  const { itemNaming } = call.dialect ?? {};
  const translation = call.outgoing?.translation;
  if (itemNaming?.itemsOf === undefined || translation === undefined || translation.kind === 'same') return;
  const { remember } = remembering(call);
  if (remember === undefined) return;
  const answer = wholeAnswer(call, entry);
  if (answer !== undefined) remember(itemNaming.itemsOf(answer));
};
