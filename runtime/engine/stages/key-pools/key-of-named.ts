import type { NamedThing, ReferenceGuard } from '../../../../plugins/sdk/control-plane/reference-guard.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { TargetKeys } from '../../target/prepared-target.ts';

/**
 * Returns the index of the key with which something was created. Undefined if that is not known. Throws `account-without-key`.
 */
const keyOf = (
  { id, account, slug }: NamedThing,
  call: LeafCall,
  accounts: readonly (string | undefined)[],
): number | undefined => {
  if (account === undefined) return undefined;
  const key = accounts.indexOf(account);
  if (key !== -1) return key;
  // Two providers may have assigned equal ids.
  if (slug !== call.slug) return undefined;
  throw gatewayError('account-without-key', { id, provider: call.slug ?? call.target.provider.id });
};

/**
 * Returns the index of the key whose account has what a request names. `unknown` if the request names something whose key is not
 * known, undefined if it names nothing. Rejects with the `GatewayError`s `account-without-key` and `several-accounts`.
 */
export const keyOfNamed = async (
  call: LeafCall,
  { keys, target }: TargetKeys,
  references: ReferenceGuard | undefined,
): Promise<number | 'unknown' | undefined> => {
  const things = (await references?.named(call.exchange.request, call.originalExchange)) ?? [];
  if (things.length === 0) return undefined;
  const accounts = keys.map((_, key) => target(key).accountScope);
  const made = things.flatMap((thing) => {
    const key = keyOf(thing, call, accounts);
    return key === undefined ? [] : [{ key, id: thing.id }];
  });
  const [one] = made;
  if (one === undefined) return 'unknown';
  const other = made.find(({ key }) => key !== one.key);
  if (other === undefined) return one.key;
  const provider = call.slug ?? call.target.provider.id;
  throw gatewayError('several-accounts', { id: one.id, other: other.id, provider });
};
