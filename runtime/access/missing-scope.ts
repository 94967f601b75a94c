import { type GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { isModelsRoute } from '../routes/declared-routes.ts';

const inference = 'completions.write';
const listing = 'models.list';

/** The `GatewayError` `missing-scope` if the caller may not make such a request. Who may call models may list them. */
export const missingScope = ({ principal: { scopes }, route }: HttpExchange): GatewayError | undefined => {
  if (scopes === undefined || scopes.has(inference)) return undefined;
  const scope = isModelsRoute(route) ? listing : inference;
  return scopes.has(scope) ? undefined : gatewayError('missing-scope', { scope });
};
