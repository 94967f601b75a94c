import type { RequestBody } from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { findStage } from '../../../../schema/plan/find-stage.ts';
import type { LeafNode, Target } from '../../../../schema/plan/plan.ts';
import { carriesMark, toMark } from '../../../json-bodies/read/carries-mark.ts';
import { readJsonBytes } from '../../../json-bodies/read/read-json-bytes.ts';
import { isStrict } from '../../call/is-strict.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';

/** Bodies that are not in memory: their bytes cannot be compared. */
const once: ReadonlySet<RequestBody['kind']> = new Set(['stream', 'form']);

/** Members by which a request goes on with what its provider keeps and changes: the same bytes mean something else each time. */
const changing: readonly string[] = ['conversation', 'container'];

const changingMarks = changing.map((name) => toMark(`"${name}"`));

/** Whether a body goes on with what changes at its provider. Most have none of these names anywhere, and are not parsed. */
const goesOn = (body: RequestBody): boolean => {
  if (body.kind !== 'bytes' || !carriesMark(body, changingMarks)) return false;
  const members = findObject(readJsonBytes(toBuffer(body.bytes)));
  return changing.some((name) => (members?.[name] ?? null) !== null);
};

/**
 * Whether a leaf's requests may be answered from a cache. Not those that are passed through, nor those whose caller wants
 * nothing to be kept, nor those that go on with what changes at the provider. Not streams that say something about their own call: what it used, what checks found, or what was
 * taken out of its request and comes back in the answer.
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
