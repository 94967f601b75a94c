import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { insertTexts } from '../../../json-bodies/edit/insert-texts.ts';
import { carriesMark, toMark } from '../../../json-bodies/read/carries-mark.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import type { PreparedTarget } from '../../target/prepared-target.ts';
import { upstreamDialect } from '../../target/upstream-dialect.ts';

/** Vendors count tokens. English text has about four characters per token. */
const charactersPerToken = 4;

const findDialect = ({ translation }: OutgoingCall): Dialect | undefined => translation && upstreamDialect(translation);

/**
 * Adds hints about what the provider may cache to a request: at the end of its tools, of its instructions, and of the turns
 * before the last one, if that is long enough to be cached. A request that has hints of its own, or whose model caches nothing or
 * everything by itself, is not changed. All other bytes stay as they are.
 */
export const withPromptCache = (
  outgoing: OutgoingCall,
  model: string | undefined,
  { provider }: Pick<PreparedTarget, 'provider'>,
): OutgoingCall => {
  const { body } = outgoing.request;
  const hints = findDialect(outgoing)?.cacheHints;
  const rules = hints === undefined ? undefined : provider.promptCache?.(model);
  if (hints === undefined || rules === undefined || body.kind !== 'bytes') return outgoing;
  const min = rules.minTokens * charactersPerToken;
  // A short body is not even read.
  if (body.bytes.length < min || carriesMark(body, [toMark(hints.mark)])) return outgoing;
  const json = findJsonObject(toBuffer(body.bytes));
  if (json === undefined) return outgoing;
  const places = hints.places(json).filter((place) => place.size >= min && rules.in.includes(place.in));
  const insert = places.slice(-rules.most).flatMap((place) => place.insert);
  if (insert.length === 0) return outgoing;
  const bytes = insertTexts(body.bytes, insert);
  return { ...outgoing, request: { ...outgoing.request, body: { kind: 'bytes', bytes } } };
};
