import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import { carriesMark, toMark } from '../../../body/read/carries-mark.ts';
import { askedModel } from '../../call/asked-for.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { paramEdits } from '../../call/param-edits.ts';
import type { TargetKeys } from '../../target/prepared-target.ts';

/**
 * Members by which a provider keeps something of a request, or that name what it keeps: stored answers, files, cached prompts,
 * containers, voices of earlier answers. And the begin of the name of a model that an account has tuned.
 */
const marks = [
  ...['"store"', '"file_id"', '"file_ids"', '"file_uri"', '"fileUri"', '"input_file_id"', '"vector_store_ids"'],
  ...['"cached_content"', '"cachedContent"', '"container"', '"previous_response_id"', '"conversation"', '"audio"'],
  '"ft:',
].map(toMark);

/** Dialects whose answers may have values that only their maker can read. */
const bindingDialects: ReadonlySet<string> = new Set(['responses', 'messages', 'gemini', 'converse']);

/** Whether the accounts of two keys can read what the other has bound. */
const sharesBound = ({ keys, target }: TargetKeys, model: string | undefined): boolean => {
  const scopes = new Set(keys.flatMap(({ weight }, key) => (weight > 0 ? [target(key).stateScope(model)] : [])));
  return scopes.size === 1;
};

/** The model that a request asks for; undefined also where nobody can read it, which its provider says. */
const readModel = (call: LeafCall, edits: JsonObject | undefined): string | undefined => {
  try {
    return askedModel(call, edits);
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

/** Whether an answer may have values that only their maker can read, in a form that does not say who made them. */
const mayBind = async (call: LeafCall, keys: TargetKeys, model: string | undefined): Promise<boolean> => {
  const { dialect, target } = call;
  if (dialect === undefined) return true;
  const translation = await target.translation(dialect, model);
  if (translation.kind === 'same') return bindingDialects.has(translation.dialect.id) && !sharesBound(keys, model);
  // What is translated says who made it; but this one keeps what it answers.
  return translation.kind === 'translate' && translation.upstream.id === 'responses';
};

/**
 * Whether a request is one for the account that has what its provider keeps, where the keys of a target are of several accounts: it is
 * passed through, it makes or names something that is kept, or its answer may have what only that account can read.
 */
export const keepsState = (target: Target): ((call: LeafCall, keys: TargetKeys) => Promise<boolean>) => {
  const edits = paramEdits(target);
  const bytes = Buffer.from(JSON.stringify(edits ?? {}));
  const isAlways = carriesMark({ kind: 'bytes', bytes }, marks);
  return async (call, keys) => {
    const { route, request } = call.exchange;
    if (isAlways || route.operation === 'opaque' || carriesMark(request.body, marks)) return true;
    return mayBind(call, keys, readModel(call, edits));
  };
};
