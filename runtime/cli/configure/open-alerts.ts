import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { Upstreams } from '../../ports/upstreams.ts';
import type { Alerts } from '../services/alerts.ts';
import type { ControlPlane } from '../services/control-plane.ts';
import type { SharedParts } from '../services/shared-parts.ts';
import { type AlertFacts, alertHealth, alertWays } from '../settings/alert-settings.ts';
import type { SecretReader } from '../settings/secret-reader.ts';
import type { ConfigureServiceOptions } from './configure-service-options.ts';
import { receiverHttp } from './receiver-http.ts';

export interface AlertParts extends Pick<ConfigureServiceOptions, 'services'> {
  readonly settings: NonNullable<GatewayFile['alerts']>;
  readonly shared: SharedParts | undefined;
  readonly closeMs: ConfigureServiceOptions['closeMs'] | undefined;
  readonly secrets: SecretReader;
  readonly upstreams: Upstreams;
  readonly facts: () => AlertFacts;
  readonly findSlug: ControlPlane['findSlug'] | undefined;
  readonly log: (text: string) => void;
}

/** The parts of a gateway that alerts consist of. */
export interface OpenedAlerts {
  readonly plugins: readonly Plugin[];
  readonly status: { readonly alerts?: Alerts['status'] };
}

/** Opens the alerts of the gateway file. Throws a `ServeFailure`. */
export const openAlerts = async ({
  settings,
  services,
  shared,
  closeMs = () => 0,
  secrets,
  upstreams,
  facts,
  findSlug,
  log,
}: AlertParts): Promise<OpenedAlerts> => {
  const health = () => alertHealth(facts());
  if (shared !== undefined) {
    const plugin = await services.workerAlerts({ settings: settings, health, send: shared.alerts });
    return { plugins: [plugin], status: {} };
  }
  const ways = alertWays(settings, { read: secrets, http: receiverHttp(upstreams) });
  const { plugin, status } = await services.alerts({
    ...ways,
    health,
    findSlug,
    closeMs,
    log,
  });
  return { plugins: [plugin], status: { alerts: status } };
};
