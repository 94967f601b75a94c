import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { LinkPorts } from '../../engine/link.ts';
import { linkPlaces } from '../../engine/stages/target-places.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import type { GatewayService } from '../../server/service.ts';
import type { OpenedOverload } from '../services/overload.ts';
import type { ConfigureServiceOptions } from './configure-service-options.ts';

/** The parts of a gateway that protect it against overload. */
export interface OverloadParts {
  readonly plugins: readonly Plugin[];
  readonly ports: Pick<LinkPorts, 'places'>;
  readonly status: { readonly overload?: OpenedOverload };
}

/** Opens the overload protection of the gateway file. */
export const openOverload = async (
  settings: NonNullable<GatewayFile['overload']>,
  { services }: Pick<ConfigureServiceOptions, 'services'>,
  findService: () => GatewayService | undefined,
): Promise<OverloadParts> => {
  const opened = await services.overload({
    settings,
    heldMemory: () => {
      const budget = findService()?.memoryBudget;
      return budget === undefined ? 0 : budget.held / budget.limit;
    },
  });
  return {
    plugins: [opened.plugin],
    ports: { places: linkPlaces(opened, systemClock) },
    status: { overload: opened },
  };
};
