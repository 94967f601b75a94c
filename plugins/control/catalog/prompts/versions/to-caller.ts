import type { RouteContext } from '../../../../sdk/route/route-row.ts';
import { resolveWorkspace } from '../../../kernel/requests/request-scope.ts';
import type { Scope } from '../../../kernel/requests/scopes.ts';
import type { PromptCaller } from './prompt-parts.ts';

/** Who calls. Throws the `GatewayError` `missing-scope` for keys of the gateway file, which act nowhere in the store. */
export const toCaller = (context: RouteContext, scope: Scope): PromptCaller => ({
  tenant: resolveWorkspace(context, scope).tenant,
  keyId: context.principal.keyId,
});
