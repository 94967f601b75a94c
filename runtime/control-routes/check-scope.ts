import type { KeyScope, Principal } from '../../plugins/sdk/exchange/exchange.ts';
import type { AnyRouteRow } from '../../plugins/sdk/route/route-row.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import type { CallerRules } from './admit-caller.ts';

/** The permissions of keys in the gateway file, which list no scopes. */
const dataPath: ReadonlySet<KeyScope> = new Set<KeyScope>(['completions.write', 'models.list']);

/**
 * Throws the `GatewayError` `missing-scope` if a caller may not use a route. Without service keys callers are not distinguished,
 * so everybody whom the gateway answers may use it.
 */
export const checkScope = (
  { scope }: Pick<AnyRouteRow, 'scope'>,
  { scopes = dataPath }: Principal,
  { identities }: Pick<CallerRules, 'identities'>,
): void => {
  if (scope !== null && identities !== undefined && !scopes.has(scope)) throw gatewayError('missing-scope', { scope });
};
