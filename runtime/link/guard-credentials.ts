import type { Exchange } from '../../plugins/sdk/exchange.ts';
import { gatewayError } from '../../schema/errors.ts';
import { leavesOf } from '../../schema/leaves-of.ts';
import type { RoutingPlan } from '../../schema/plan.ts';
import { rootPointer, toOptionPath } from '../../schema/pointer.ts';
import type { Names } from './names.ts';
import { choosesDestination } from './target/chooses-destination.ts';
import { isCallersTarget } from './target/is-callers-target.ts';

const nothing = (): void => {};

/**
 * A credential is sent only to the hosts that its owner chose: the operator, or whoever saved it. A request that chooses a host, or headers to
 * forward, must bring the credential itself, for every target of the plan; this is checked before anything is sent.
 * Throws the `GatewayError` `credential-origin-mismatch`.
 */
export const guardCredentials = (
  { targets, root }: RoutingPlan,
  names: Pick<Names, 'provider'>,
): ((exchange: Exchange) => void) => {
  const bound = targets.findIndex((target) => !isCallersTarget(target, names));
  if (bound === -1) return nothing;
  const leaf = leavesOf(root).find(({ target }) => target === bound);
  const at = { target: targets[bound]?.id ?? '', path: toOptionPath(leaf?.path ?? rootPointer) };
  return ({ overrides }) => {
    if (!choosesDestination(overrides)) return;
    const { customHost } = overrides;
    const host = customHost === undefined ? 'a provider together with x-gw-forward-headers' : hostOf(customHost);
    throw gatewayError('credential-origin-mismatch', { ...at, host, chooser: 'the request' });
  };
};

/** Only the host of a caller's URL is shown: the rest may contain a secret. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'a host');
