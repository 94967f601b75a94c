import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import { asGatewayError, type ErrorReport, errorReport } from '../../schema/errors/errors.ts';
import { isLoopback } from '../../schema/http/is-loopback.ts';
import { type Authentication, sendKey } from '../access/authenticate.ts';
import { plainAddress } from '../http/exchange/peer-address.ts';
import type { CallerHeaders } from '../http/headers/caller-headers.ts';

/** The counters in Prometheus' format. */
export interface MetricsText {
  readonly type: string;
  readonly text: string;
}

export type ReadMetrics = () => Promise<MetricsText>;

/** The scope that a service key must have to read metrics. */
const scope = 'metrics.read';

const ownPort = 'The operator can serve metrics without keys at a separate port: "metrics": { "port": 9464 }.';

const organisationKey = `Use a key of the organisation, created with: gw keys create --kind organisation --scopes ${scope}.`;

const refused = (fact: string, suggestion = ownPort): ErrorReport => errorReport('forbidden', { fact, suggestion });

const findError = (holder: Principal | undefined, { keyPlace }: CallerHeaders): ErrorReport | undefined => {
  if (holder === undefined) return errorReport('wrong-service-key', { place: keyPlace });
  const { scopes, reach } = holder;
  if (scopes === undefined) return refused('Keys of the gateway file may only send model requests.');
  if (!scopes.has(scope)) return errorReport('missing-scope', { scope });
  // They name the plans and targets of all workspaces.
  return reach === 'workspace'
    ? refused(
        'Metrics cover all workspaces, but the service key of this request reaches only one.',
        `${organisationKey} ${ownPort}`,
      )
    : undefined;
};

const unavailable = (error: unknown): ErrorReport => asGatewayError(error).report;

export interface Asking {
  readonly caller: CallerHeaders;
  /** The address of the caller. */
  readonly from: string | undefined;
}

/** The readers that may see metrics. */
export interface MetricsReaders extends Pick<Authentication, 'onRefused'> {
  readonly identities?: Identities | undefined;
}

/**
 * Returns why a caller may not read the metrics. Without service keys it must be on this machine; with them its key needs the
 * scope.
 */
export const metricsError = (
  { caller, from }: Asking,
  { identities, onRefused }: MetricsReaders,
): ErrorReport | undefined | Promise<ErrorReport | undefined> => {
  if (identities === undefined)
    return from !== undefined && isLoopback(from)
      ? undefined
      : refused("Metrics are shown only to callers on the gateway's machine.");
  const presented = caller.serviceKey ?? caller.overrides.credential;
  if (presented === undefined) return errorReport('missing-service-key', { suggestion: sendKey });
  const refuse = (holder: Principal | undefined): ErrorReport | undefined => {
    if (holder === undefined) onRefused?.(presented, plainAddress(from));
    return findError(holder, caller);
  };
  const holder = identities.identify(presented);
  return holder instanceof Promise ? holder.then(refuse, unavailable) : refuse(holder);
};
