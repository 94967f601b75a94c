import type { RequestCodec } from '../../../../plugins/sdk/provider/recoded.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import { carriesMark } from '../../../json-bodies/read/carries-mark.ts';
import { askedFor } from '../../call/asked-for.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { effectiveParams, paramEdits } from '../../call/param-edits.ts';
import { firstUsedKey } from '../../target/linked-target.ts';
import type { TargetKeys } from '../../target/prepared-target.ts';
import { gatewayMarks, type Translation } from '../../target/translation.ts';
import { accountReader } from './account-reader.ts';
import { keyOfNamed } from './key-of-named.ts';
import { readOr } from './read-or.ts';

/** The key of a request that is not for any of them. */
export interface ChosenKey {
  readonly key: number;
  /** Whether no other key can serve it; otherwise another one does without what this one has bound. */
  readonly isOnly: boolean;
}

/** Dialects whose answers may have values that only their maker can read. */
const bindingDialects: ReadonlySet<string> = new Set(['responses', 'messages', 'gemini', 'converse']);

/** Whether the accounts of two keys can read what the other has bound. */
const sharesBound = ({ keys, target }: TargetKeys, model: string | undefined): boolean => {
  const scopes = new Set(keys.flatMap(({ weight }, key) => (weight > 0 ? [target(key).stateScope(model)] : [])));
  return scopes.size === 1;
};

const firstKey = (keys: TargetKeys): ChosenKey => ({ key: firstUsedKey(keys), isOnly: true });

/** Whether it is noted with which account the answer is made. */
const isNoted = ({ exchange }: LeafCall): boolean => exchange.kept?.isNew === true;

const findCodec = (translation: Translation): Pick<RequestCodec, 'decodeRequest'> | undefined => {
  if (translation.kind === 'same') return translation.dialect.conversation ?? translation.dialect.count;
  return translation.kind === 'translate' || translation.kind === 'count' ? translation.clientCodec : undefined;
};

/** Reads the scopes of the bound values in a request, the last one first. */
const boundScopes = (
  call: LeafCall,
  { translation, edits }: { readonly translation: Translation; readonly edits: ReturnType<typeof paramEdits> },
): readonly string[] => {
  const { dialect, exchange } = call;
  const codec = findCodec(translation);
  if (codec === undefined || dialect === undefined) return [];
  if (!carriesMark(exchange.request.body, gatewayMarks(dialect))) return [];
  return readOr([], () => {
    const { turns } = codec.decodeRequest(effectiveParams(call, edits), { scope: '', ...askedFor(call, edits) });
    const parts = turns.flatMap((turn) => turn.parts);
    return parts.flatMap((part) => (part.kind === 'reasoning' ? (part.bound?.scope ?? []) : [])).toReversed();
  });
};

/** The key whose account has bound the last value that one of them has. */
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
 * Chooses the key of a request where the keys of a target are of several accounts: the one that made what the request names, or that has
 * bound what it brings. What is made or named in a form that does not say with which key is left to the first one that is used.
 * Undefined for all other requests, which any key serves. Rejects with the `GatewayError`s `account-without-key` and
 * `several-accounts`, and as the guard of references does.
 */
export const keyChooser = (
  target: Target,
  { references }: Pick<LinkContext, 'references'>,
): ((call: LeafCall, keys: TargetKeys) => Promise<ChosenKey | undefined>) => {
  const edits = paramEdits(target);
  const isOfAccount = accountReader(edits);

  /** The key for what an account has, or is to have; undefined if any is. */
  const keyOfAccount = async (call: LeafCall, keys: TargetKeys): Promise<ChosenKey | undefined> => {
    const named = await keyOfNamed(call, keys, references);
    if (typeof named === 'number') return { key: named, isOnly: true };
    return named === undefined && isNoted(call) ? undefined : firstKey(keys);
  };

  return async (call, keys) => {
    const { dialect, exchange } = call;
    if (exchange.route.operation === 'opaque' || dialect === undefined) return keyOfAccount(call, keys);
    const model = readOr(undefined, () => askedFor(call, edits).model);
    const translation = await call.target.translation(dialect, model);
    // What is translated is not stored, and says who made it.
    const own = translation.kind === 'same' ? translation.dialect.id : undefined;
    const ofAccount = isOfAccount(call, own) ? await keyOfAccount(call, keys) : undefined;
    if (ofAccount !== undefined) return ofAccount;
    const bound = boundKey(boundScopes(call, { translation, edits }), keys, model);
    if (bound !== undefined || isNoted(call)) return bound;
    return own !== undefined && bindingDialects.has(own) && !sharesBound(keys, model) ? firstKey(keys) : undefined;
  };
};
