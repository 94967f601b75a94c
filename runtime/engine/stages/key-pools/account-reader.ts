import { accountMarks, isOfOneAccount } from '../../../../plugins/sdk/models/kept-by-provider.ts';
import { carriesMark, toMark } from '../../../json-bodies/read/carries-mark.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { effectiveParams, type paramEdits } from '../../call/param-edits.ts';
import { readOrDefault } from './read-or-default.ts';

const marks = accountMarks.map(toMark);

/**
 * Returns a function that reads whether a request, with a target's edits, is for one particular account. `dialect` is the one in
 * which it is sent. Most bodies are not parsed for this.
 */
export const accountReader = (
  edits: ReturnType<typeof paramEdits>,
): ((call: LeafCall, dialect: string | undefined) => boolean) => {
  const isMarked = carriesMark({ kind: 'bytes', bytes: Buffer.from(JSON.stringify(edits ?? {})) }, marks);
  return (call, dialect) => {
    if (!isMarked && dialect !== 'responses' && !carriesMark(call.exchange.request.body, marks)) return false;
    return readOrDefault(true, () => isOfOneAccount(effectiveParams(call, edits), dialect));
  };
};
