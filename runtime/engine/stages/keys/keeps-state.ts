import { accountMarks, isOfOneAccount } from '../../../../plugins/sdk/models/kept-by-provider.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import { carriesMark, toMark } from '../../../body/read/carries-mark.ts';
import { askedModel } from '../../call/asked-for.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { effectiveParams, paramEdits } from '../../call/param-edits.ts';
import type { TargetKeys } from '../../target/prepared-target.ts';

const marks = accountMarks.map(toMark);

/** Dialects whose answers may have values that only their maker can read. */
const bindingDialects: ReadonlySet<string> = new Set(['responses', 'messages', 'gemini', 'converse']);

/** Whether the accounts of two keys can read what the other has bound. */
const sharesBound = ({ keys, target }: TargetKeys, model: string | undefined): boolean => {
  const scopes = new Set(keys.flatMap(({ weight }, key) => (weight > 0 ? [target(key).stateScope(model)] : [])));
  return scopes.size === 1;
};

/** The value, or another one if a body cannot be read: its provider says what is wrong with it. */
const readOr = <Value>(other: Value, read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) return other;
    throw error;
  }
};

/**
 * Whether a request is one for the account that has what its provider keeps, where the keys of a target are of several accounts: it is
 * passed through, it makes or names something that is kept, or its answer may have what only that account can read, in a form that
 * does not say which one that is.
 */
export const keepsState = (target: Target): ((call: LeafCall, keys: TargetKeys) => Promise<boolean>) => {
  const edits = paramEdits(target);
  const edited = { kind: 'bytes', bytes: Buffer.from(JSON.stringify(edits ?? {})) } as const;
  const isMarked = carriesMark(edited, marks);

  const isOfAccount = (call: LeafCall, dialect: string | undefined): boolean =>
    (isMarked || carriesMark(call.exchange.request.body, marks)) &&
    readOr(true, () => isOfOneAccount(effectiveParams(call, edits), dialect));

  return async (call, keys) => {
    const { dialect, exchange } = call;
    if (exchange.route.operation === 'opaque' || dialect === undefined) return true;
    const model = readOr(undefined, () => askedModel(call, edits));
    const translation = await call.target.translation(dialect, model);
    // What is translated is not stored, and says who made it.
    if (translation.kind !== 'same') return isOfAccount(call, undefined);
    const { id } = translation.dialect;
    return isOfAccount(call, id) || (bindingDialects.has(id) && !sharesBound(keys, model));
  };
};
