import type { RequestBody } from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import type { LeafNode, Target } from '../../../../schema/plan/plan.ts';
import { findStage } from '../../../../schema/plan/stages.ts';
import { carriesMark, toMark } from '../../../json-bodies/read/carries-mark.ts';
import { readJsonBytes } from '../../../json-bodies/read/read-json-bytes.ts';
import { isStrict } from '../../call/is-strict.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';

/** Bodies that are not in memory. Their bytes cannot be compared. */
const once: ReadonlySet<RequestBody['kind']> = new Set(['stream', 'form']);

/** Members by which a request continues what its provider stores and changes. The same bytes mean something else each time. */
const changing: readonly string[] = ['conversation', 'container'];

const changingMarks = changing.map((name) => toMark(`"${name}"`));

/**
 * Whether a body continues something that changes at its provider. Most bodies have none of these names anywhere, and are not
 * parsed.
 */
const goesOn = (body: RequestBody): boolean => {
  if (body.kind !== 'bytes' || !carriesMark(body, changingMarks)) return false;
  const members = findObject(readJsonBytes(toBuffer(body.bytes)));
  return changing.some((name) => (members?.[name] ?? null) !== null);
};

/**
 * Returns whether a leaf's requests may be answered from a cache. Not if they are passed through, if their caller wants nothing
 * to be stored, or if they continue something that changes at the provider. Streams are not cached either if they contain facts
 * about their own call: what it used, what checks found, or what was taken out of its request and is restored in the answer.
 */
export const cacheableBy = (
  leaf: LeafNode,
  target: Target,
): ((call: LeafCall, sent: { readonly outgoing: OutgoingCall; readonly isStream: boolean }) => boolean) => {
  const hooks = [findStage(leaf, 'input-checks'), findStage(leaf, 'output-checks')].flatMap(
    (stage) => stage?.hooks ?? [],
  );
  const showsResults = hooks.some((hook) => !hook.async);
  return (call, { outgoing, isStream }) => {
    const { overrides } = call.exchange;
    if (overrides.debug === false) return false;
    if (outgoing.translation === undefined || once.has(outgoing.request.body.kind)) return false;
    if (goesOn(outgoing.request.body)) return false;
    if (!isStream) return true;
    return overrides.usage !== true && call.restorer === undefined && !(showsResults && !isStrict(target, call));
  };
};
