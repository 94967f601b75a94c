import type { RequestCodec } from '../../../../plugins/sdk/provider/recoded.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import { carriesMark } from '../../../json-bodies/read/carries-mark.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { effectiveParams, paramEdits } from '../../call/param-edits.ts';
import { requestedModelAndStream } from '../../call/requested-model-and-stream.ts';
import { firstUsedKey } from '../../target/linked-target.ts';
import type { TargetKeys } from '../../target/prepared-target.ts';
import { gatewayMarks, type Translation } from '../../target/translation.ts';
import { accountReader } from './account-reader.ts';
import { keyOfNamed } from './key-of-named.ts';
import { readOrDefault } from './read-or-default.ts';

/** The key for a request that only some key can serve. */
export interface ChosenKey {
  readonly key: number;
  /** Whether no other key can serve it. If false, another key can serve it without what this one has bound. */
  readonly isOnly: boolean;
}

/** Dialects whose answers may have values that only their creator can read. */
const bindingDialects: ReadonlySet<string> = new Set(['responses', 'messages', 'gemini', 'converse']);

/** Whether the accounts of two keys can read each other's bound values. */
const sharesBound = ({ keys, target }: TargetKeys, model: string | undefined): boolean => {
  const scopes = new Set(keys.flatMap(({ weight }, key) => (weight > 0 ? [target(key).stateScope(model)] : [])));
  return scopes.size === 1;
};

const firstKey = (keys: TargetKeys): ChosenKey => ({ key: firstUsedKey(keys), isOnly: true });

/** Whether the account that creates the answer is recorded. */
const isNoted = ({ exchange }: LeafCall): boolean => exchange.kept?.isNew === true;

const findCodec = (translation: Translation): Pick<RequestCodec, 'decodeRequest'> | undefined => {
  if (translation.kind === 'same') return translation.dialect.conversation ?? translation.dialect.count;
  return translation.kind === 'translate' || translation.kind === 'count' ? translation.clientCodec : undefined;
};

/** Returns the scopes of the bound values in a request, the last one first. */
const boundScopes = (
  call: LeafCall,
  { translation, edits }: { readonly translation: Translation; readonly edits: ReturnType<typeof paramEdits> },
): readonly string[] => {
  const { dialect, exchange } = call;
  const codec = findCodec(translation);
  if (codec === undefined || dialect === undefined) return [];
  if (!carriesMark(exchange.request.body, gatewayMarks(dialect))) return [];
  return readOrDefault([], () => {
    const { turns } = codec.decodeRequest(effectiveParams(call, edits), {
      scope: '',
      ...requestedModelAndStream(call, edits),
    });
    const parts = turns.flatMap((turn) => turn.parts);
    return parts.flatMap((part) => (part.kind === 'reasoning' ? (part.bound?.scope ?? []) : [])).toReversed();
  });
};

/** Returns the key of the account that bound the last value bound by any of them. */
const boundKey = (
  scopes: readonly string[],
  { keys, target }: TargetKeys,
  model: string | undefined,
): ChosenKey | undefined => {
  if (scopes.length === 0) return undefined;
  const own = keys.map((_, key) => target(key).stateScope(model));
  const scope = scopes.find((each) => own.includes(each));
  return scope === undefined ? undefined : { key: own.indexOf(scope), isOnly: false };
};

/**
 * Chooses the key of a request if a target's keys belong to several accounts: the key that created what the request names, or
 * that bound the values it brings. If the request names items whose key is not known, or creates items whose key is not recorded,
 * the first key in use is chosen. Undefined for all other requests, which any key can serve. Rejects with the `GatewayError`s
 * `account-without-key` and `several-accounts`, and like the reference guard.
 */
export const keyChooser = (
  target: Target,
  { references }: Pick<LinkContext, 'references'>,
): ((call: LeafCall, keys: TargetKeys) => Promise<ChosenKey | undefined>) => {
  const edits = paramEdits(target);
  const isOfAccount = accountReader(edits);

  /** Returns the key for something that an account has or is to have. Undefined if any key will do. */
  const keyOfAccount = async (call: LeafCall, keys: TargetKeys): Promise<ChosenKey | undefined> => {
    const named = await keyOfNamed(call, keys, references);
    if (typeof named === 'number') return { key: named, isOnly: true };
    return named === undefined && isNoted(call) ? undefined : firstKey(keys);
  };

  return async (call, keys) => {
    const { dialect, exchange } = call;
    if (exchange.route.operation === 'opaque' || dialect === undefined) return keyOfAccount(call, keys);
    const model = readOrDefault(undefined, () => requestedModelAndStream(call, edits).model);
    const translation = await call.target.translation(dialect, model);
    // Translated requests do not store anything, and their bound values identify who created them.
    const own = translation.kind === 'same' ? translation.dialect.id : undefined;
    const ofAccount = isOfAccount(call, own) ? await keyOfAccount(call, keys) : undefined;
    if (ofAccount !== undefined) return ofAccount;
    const bound = boundKey(boundScopes(call, { translation, edits }), keys, model);
    if (bound !== undefined || isNoted(call)) return bound;
    return own !== undefined && bindingDialects.has(own) && !sharesBound(keys, model) ? firstKey(keys) : undefined;
  };
};
