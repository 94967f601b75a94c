import type { Exchange } from '../../plugins/sdk/exchange/exchange.ts';
import { refusedDestination } from '../../plugins/sdk/http/refused-destination.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import { fillSettings, madeHeaders } from '../../plugins/sdk/provider/provider-settings.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { rootPointer, toOptionPath } from '../../schema/json/pointer.ts';
import { listCalledLeaves } from '../../schema/plan/list-leaves.ts';
import type { RoutingPlan, Target } from '../../schema/plan/plan.ts';
import type { Names } from './plugins/names.ts';
import { choosesDestination } from './target/chooses-destination.ts';
import { isCallersTarget } from './target/is-callers-target.ts';

/** Returns the headers that a provider adds for these settings, with its own defaults. Undefined if the settings are invalid. */
const findHeaders = (provider: Provider, given: JsonObject): string | undefined => {
  const found = fillSettings(provider, given);
  return found.kind === 'filled' ? madeHeaders(provider, {}, found.settings).join('\n') : undefined;
};

/** Whether the target's settings name an account at its provider in headers, as `OpenAI-Organization` does. */
const namesAccount = ({ from, settings }: Target, names: Pick<Names, 'provider'>): boolean => {
  const provider = 'provider' in from ? names.provider(from.provider) : undefined;
  if (provider === undefined || Object.keys(settings).length === 0) return false;
  const headers = findHeaders(provider, settings) ?? '';
  return headers !== '' && headers !== findHeaders(provider, {});
};

/**
 * Checks that a credential, and anything that names its owner's account, is sent only to hosts that its owner chose (the
 * operator, or whoever saved it). A request that chooses a host, or headers to forward, must bring its own credential for every
 * target of the plan. This is checked before anything is sent. `callerPlan`: whether the plan came with the request, so that its
 * settings are the caller's except for saved ones. Throws the `GatewayError` `credential-origin-mismatch`.
 */
export const guardCredentials = (
  { targets, root }: RoutingPlan,
  names: Pick<Names, 'provider'>,
  callerPlan: boolean,
): ((exchange: Exchange) => void) => {
  const isBound = (target: Target): boolean =>
    !isCallersTarget(target, names) || ((!callerPlan || target.from.kind === 'saved') && namesAccount(target, names));
  let bound: number | undefined;
  return ({ overrides }) => {
    if (!choosesDestination(overrides)) return;
    bound ??= targets.findIndex(isBound);
    if (bound === -1) return;
    const leaf = listCalledLeaves(root).find(({ target }) => target === bound);
    const at = { target: targets[bound]?.id ?? '', path: toOptionPath(leaf?.path ?? rootPointer) };
    throw refusedDestination(at, overrides.customHost);
  };
};
