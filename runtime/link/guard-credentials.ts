import type { Exchange } from '../../plugins/sdk/exchange.ts';
import { gatewayError } from '../../schema/errors.ts';
import type { RoutingPlan, Target } from '../../schema/plan.ts';
import { choosesDestination } from './target/chooses-destination.ts';
import { isCallersOwn } from './target/credential-of.ts';

const nothing = (): void => {};

/** Whatever a saved provider has is the operator's, in whichever form it stands there. */
const isFree = ({ credential, from }: Target): boolean =>
  from.kind === 'saved' ? credential === null : isCallersOwn(credential);

/**
 * A credential that the operator saved goes only where the operator said. A request that chooses a host, or headers to
 * go upstream, must bring the credential itself, at every target of the plan: this is seen before anything is sent.
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

/** No more of what a caller wrote than a host: the rest may hold a secret. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'a host');
