import type { Exchange } from '../../plugins/sdk/exchange.ts';
import { gatewayError } from '../../schema/errors.ts';
import type { RoutingPlan, Target } from '../../schema/plan.ts';
import { choosesDestination } from './target/chooses-destination.ts';
import { isCallersOwn } from './target/credential-of.ts';

const nothing = (): void => {};

/** Everything in a saved provider belongs to the operator, in whichever form it is written. */
const isFree = ({ credential, from }: Target): boolean =>
  from.kind === 'saved' ? credential === null : isCallersOwn(credential);

/**
 * A saved credential is sent only to the hosts that the operator chose. A request that chooses a host, or headers to
 * forward, must bring the credential itself, for every target of the plan; this is checked before anything is sent.
 * Throws the `GatewayError` `credential-origin-mismatch`.
 */
export const guardCredentials = ({ targets }: RoutingPlan): ((exchange: Exchange) => void) => {
  if (targets.every(isFree)) return nothing;
  return ({ overrides }) => {
    if (!choosesDestination(overrides)) return;
    const { customHost } = overrides;
    const host = customHost === undefined ? 'a provider together with x-gw-forward-headers' : hostOf(customHost);
    throw gatewayError('credential-origin-mismatch', { host });
  };
};

/** Only the host of a caller's URL is shown: the rest may contain a secret. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'a host');
