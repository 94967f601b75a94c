import type { AnyRouteRow } from '../../plugins/sdk/route/route-row.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import type { CallerRules, FindAgain } from './admit-caller.ts';
import { checkScope } from './check-scope.ts';

/**
 * Resolves with whether a long-lived answer may continue: the caller is still valid, acts in the same workspace and has the scope
 * of the route, and the gateway is not shutting down. Never rejects: a caller that cannot be identified now may call again.
 */
export const mayGoOn = async (
  { connection, principal }: HttpExchange,
  { row, findAgain, rules }: { readonly row: AnyRouteRow; readonly findAgain: FindAgain; readonly rules: CallerRules },
): Promise<boolean> => {
  if (connection?.isDraining?.() === true) return false;
  try {
    const found = await findAgain();
    if (found?.tenant !== principal.tenant) return false;
    checkScope(row, found, rules);
    return true;
  } catch {
    return false;
  }
};
