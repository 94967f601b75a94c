import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { OrganisationId, TenantId } from '../../../sdk/exchange/exchange.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import type { Scope } from './scopes.ts';

/** Where a request acts: in a workspace of an organisation. */
export interface RequestScope {
  readonly organisation: OrganisationId;
  readonly tenant: TenantId;
}

/**
 * Returns where a request acts. Throws the `GatewayError` `missing-scope` for keys of the gateway file, which do not act in the
 * store.
 */
export const resolveWorkspace = ({ tenant, principal: { organisation } }: RouteContext, scope: Scope): RequestScope => {
  if (organisation === undefined) throw gatewayError('missing-scope', { scope });
  return { organisation, tenant };
};

/** Where a request acts, and the id of the key that sent it. */
export interface KeyScope extends RequestScope {
  readonly keyId?: string | undefined;
}

/** Returns where a request acts, and with which key. Throws as `resolveWorkspace` does. */
export const resolveCaller = (context: RouteContext, scope: Scope): KeyScope => ({
  ...resolveWorkspace(context, scope),
  keyId: context.principal.keyId,
});
