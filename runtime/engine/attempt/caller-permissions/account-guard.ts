import type { Principal } from '../../../../plugins/sdk/exchange/exchange.ts';
import { changesAccount } from '../../../../plugins/sdk/provider/account-changes/changes-account.ts';
import { readMethods } from '../../../../plugins/sdk/provider/account-changes/passed-request.ts';
import { credentialHeaders } from '../../../../schema/credentials/credential-headers.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { isCallersOwn } from '../../target/to-credential.ts';

/**
 * Throws the `GatewayError` `account-change-refused` for a request that does not call a model and that the caller may not make.
 * `isPassed`: whether the request is passed through, as every opaque one is.
 */
export type AccountGuard = (call: LeafCall, isPassed?: boolean) => void;

/** The scope of whoever manages the shared accounts. */
const scope = 'integrations.update';

const longestShown = 200;

/**
 * Whether callers use an account that is not their own: with a credential of the gateway, or with the permissions of its machine.
 */
const isShared = ({ from, credential, headers }: Target, { callerPlan }: { readonly callerPlan: boolean }): boolean => {
  if (from.kind === 'saved' || !isCallersOwn(credential)) return true;
  return (
    credential === null && !callerPlan && !headers.forward.some((name) => credentialHeaders.has(name.toLowerCase()))
  );
};

/** Without service keys, everyone who can reach the gateway is its operator. */
const mayManage = ({ keyId, scopes }: Principal): boolean =>
  scopes === undefined ? keyId === undefined : scopes.has(scope);

const nothing: AccountGuard = () => {};

/** Created once per target. Requests of plugins pass, because they have rows and scopes of their own. */
export const accountGuard = (target: Target, context: { readonly callerPlan: boolean }): AccountGuard => {
  if (!isShared(target, context)) return nothing;
  return ({ exchange, target: { provider } }, isPassed = exchange.route.operation === 'opaque') => {
    const { isDispatched, principal, request } = exchange;
    if (!isPassed || isDispatched === true || mayManage(principal)) return;
    const changes = provider.changesAccount ?? changesAccount;
    if (!readMethods(request, request.headers).some(changes)) return;
    const { method, path } = request;
    const [pathname = ''] = path.split('?', 1);
    throw gatewayError('account-change-refused', {
      ...{ method, path: pathname.slice(0, longestShown), provider: provider.id, scope },
    });
  };
};
