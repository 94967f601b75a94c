import { closestName } from '../../schema/closest-name.ts';
import { type GatewayError, gatewayError } from '../../schema/errors.ts';
import type { ServedPlan } from '../generations/served-plan.ts';
import type { CallerPlans, RefusedPlan } from './caller-plans.ts';
import type { HttpExchange } from './http-exchange.ts';
import { misspeltHeader } from './misspelt-header.ts';
import type { SavedMember } from './with-saved.ts';

export interface PlanChoice {
  readonly callerPlans: CallerPlans;
  /** Serves callers that bring a provider and no config. */
  readonly requestPlan: ServedPlan;
  /** The saved config of callers that bring neither. */
  readonly defaultConfig?: string;
  /** Bytes of `x-gw-config`. */
  readonly configBytes: number;
}

/** Characters of a name that are compared and shown. */
const longestName = 200;

type Chosen = ServedPlan | RefusedPlan | Promise<ServedPlan | RefusedPlan>;

/** No caller can mend it: the operator's file is gone. */
const byDefault = ({ generationRef }: HttpExchange, name: string): ServedPlan => {
  const plan = generationRef?.generation.plan(name);
  if (plan === undefined) throw gatewayError('missing-default-config', { name });
  return plan;
};

const saved = ({ generationRef }: HttpExchange, name: string): ServedPlan => {
  const plan = generationRef?.generation.plan(name);
  if (plan !== undefined) return plan;
  const near = closestName(name.slice(0, longestName), generationRef?.generation.entries.keys() ?? []);
  const suggestion =
    near === undefined ? 'Send a name that /readyz lists, or the config itself as JSON.' : `Did you mean "${near}"?`;
  throw gatewayError('unknown-config', { name: name.slice(0, longestName), suggestion });
};

const savedMember = ({ caller: { virtualKey, overrides } }: HttpExchange): SavedMember | undefined => {
  if (virtualKey !== undefined) return { name: 'virtual_key', value: virtualKey };
  return overrides.provider?.startsWith('@') ? { name: 'provider', value: overrides.provider } : undefined;
};

/** A saved config's name cannot begin like JSON does. */
const looksLikeJson = (text: string): boolean => /^\s*[{["]/.test(text);

const byConfig = (exchange: HttpExchange, config: string, { callerPlans, configBytes }: PlanChoice): Chosen => {
  // A header's text is latin1: a character is a byte.
  if (config.length > configBytes)
    throw gatewayError('header-too-large', { header: 'x-gw-config', limit: configBytes });
  return looksLikeJson(config) ? callerPlans.get(config, savedMember(exchange)) : saved(exchange, config.trim());
};

const missingProvider = ({ request }: HttpExchange): GatewayError => {
  const slip = misspeltHeader(request.headers);
  const suggestion =
    slip === undefined
      ? 'Send x-gw-config, x-gw-virtual-key, or x-gw-provider with Authorization.'
      : `There is no header ${slip.written}: did you mean ${slip.meant}?`;
  return gatewayError('missing-provider', { suggestion });
};

/**
 * Which plan serves a request, by the four forms of provider authentication: a config (which a virtual key or a saved
 * provider completes where it names no provider), one of these alone (a tiny config), a provider by name with the
 * caller's own credential; else the default.
 * Throws the `GatewayError`s `unknown-config`, `missing-default-config`, `header-too-large` and `missing-provider`.
 */
export const choosePlan = (exchange: HttpExchange, choice: PlanChoice): Chosen => {
  const { config, overrides } = exchange.caller;
  if (config !== undefined) return byConfig(exchange, config, choice);
  const member = savedMember(exchange);
  if (member !== undefined) return choice.callerPlans.get('{}', member);
  if (overrides.provider !== undefined) return choice.requestPlan;
  if (choice.defaultConfig !== undefined) return byDefault(exchange, choice.defaultConfig);
  throw missingProvider(exchange);
};
