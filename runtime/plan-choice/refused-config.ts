import { type GatewayError, gatewayError, invalidConfig } from '../../schema/errors/errors.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import type { RefusedPlan } from '../tenant-plans/plan-cache.ts';
import { meantHint } from './choose-plan-by-model.ts';

/** Where to find names, for a header whose name is not saved. Other hints are about the members of a config. */
const headerHints: Readonly<Record<string, string>> = {
  'unknown-saved-provider':
    'GET /v1/models lists what a request can name, as @slug/model. To use a virtual key, send x-gw-virtual-key.',
  'unusable-provider': 'GET /v1/models lists what a request can name, as @slug/model.',
  'unknown-virtual-key': 'To use a saved provider, send x-gw-provider: @slug.',
};

const firstError = (diagnostics: RefusedPlan['refused']) => diagnostics.find(({ severity }) => severity === 'error');

/** Returns why a config or a saved provider cannot serve, after a colon. */
export const reasonOf = (plan: RefusedPlan | undefined): string =>
  plan === undefined
    ? 'it was deleted, has errors, or is not loaded yet.'
    : (firstError(plan.refused)?.message ?? 'the compiler produced no plan.');

/** Returns the error for a saved config, which was valid when it was saved. Callers can only use another one. */
const refusedSaved = (
  { caller, principal: { defaults } }: HttpExchange,
  { name, message }: { readonly name: string; readonly message: string },
): GatewayError => {
  if (caller.config === undefined)
    return gatewayError(defaults?.config === undefined ? 'missing-default-config' : 'missing-key-config', {
      ...{ name, reason: message },
    });
  const reason = `the config "${name}" can no longer be used: ${message} What it names was changed or has expired since.`;
  return gatewayError('invalid-header', { header: 'x-gw-config', reason });
};

/** Returns the error for a caller whose config is not valid. All problems are in `error.diagnostics`. */
export const refusedConfig = (exchange: HttpExchange, { refused: diagnostics, saved }: RefusedPlan): GatewayError => {
  const { caller } = exchange;
  const { code = '', message = 'the compiler produced no plan.', hint = '' } = firstError(diagnostics) ?? {};
  if (saved !== undefined) return refusedSaved(exchange, { name: saved, message });
  // If the caller sent no config, one was created from a header, so the header is wrong.
  if (!caller.bringsConfig) {
    const header = caller.virtualKey === undefined ? 'x-gw-provider' : 'x-gw-virtual-key';
    const toDo = meantHint(hint) ?? lookUp(headerHints, code);
    const reason = toDo === undefined ? message : `${message} ${toDo}`;
    return gatewayError('invalid-header', { header, reason });
  }
  return invalidConfig(diagnostics);
};
