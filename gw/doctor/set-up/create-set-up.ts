import { toAddress } from '../../../runtime/cli/settings/serve-options.ts';
import { probeOrigins } from './probe-origins.ts';
import { readOwnPlans } from './read-own-plans.ts';
import { findGatewayAt } from './running-gateway.ts';
import type { SetUp } from './set-up.ts';

export interface SetUpOptions
  extends Pick<
    SetUp,
    | 'cwd'
    | 'env'
    | 'options'
    | 'environment'
    | 'secrets'
    | 'findStore'
    | 'trustedHosts'
    | 'timeoutMs'
    | 'isOffline'
    | 'whenDone'
  > {
  readonly file: string | undefined;
  readonly text: string | undefined;
}

const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
};

export const createSetUp = ({ file, text, ...given }: SetUpOptions): SetUp => {
  const { settings } = given.environment;
  const setUp: SetUp = {
    ...given,
    ...(file === undefined ? {} : { file }),
    ...(text === undefined ? {} : { text }),
    settings,
    address: toAddress(given.options, settings.listen, given.env),
    gateway: once(() => findGatewayAt(setUp)),
    plans: once(() => readOwnPlans(setUp)),
    probes: once(async () => probeOrigins(await setUp.plans(), setUp)),
  };
  return setUp;
};
