import { errorReport, GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { looksLikeJson } from './choose-plan.ts';
import type { RefusedPlan } from './plan-cache.ts';

/** The error for a caller whose config is not valid: all problems are in `error.diagnostics`. */
export const refusedConfig = ({ caller }: HttpExchange, { refused: diagnostics }: RefusedPlan): GatewayError => {
  // If the caller sent no config, one was made from a header, so that header is wrong.
  if (caller.config === undefined || !looksLikeJson(caller.config)) {
    const header = caller.virtualKey === undefined ? 'x-gw-provider' : 'x-gw-virtual-key';
    const [{ message = 'the compiler produced no plan.', hint = '' } = {}] = diagnostics;
    // Other hints are about the members of a config.
    const reason = hint.startsWith('Did you mean') ? `${message} ${hint}` : message;
    return gatewayError('invalid-header', { header, reason });
  }
  const first = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'the compiler produced no plan.';
  return new GatewayError({ ...errorReport('invalid-config', { first }), diagnostics });
};
