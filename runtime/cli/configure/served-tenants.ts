import type { GatewayServiceOptions } from '../../server/service.ts';
import { createTenantPlans } from '../../tenant-plans/tenant-plans.ts';
import type { ControlPlane } from '../services/control-plane.ts';
import type { ServeCompiler } from '../services/serve-environment.ts';

/** Adds what a control plane serves to a service, besides who may call. */
export const servedTenants = async (
  { tenants, consolePages, idempotencyStore, storeStatus, limiter, references, storedItems }: ControlPlane,
  compiler: () => Promise<ServeCompiler>,
): Promise<
  Pick<
    GatewayServiceOptions,
    'tenants' | 'consolePages' | 'idempotencyStore' | 'storeStatus' | 'limiter' | 'references' | 'storedItems'
  >
> => ({
  idempotencyStore,
  storeStatus,
  consolePages,
  ...(limiter === undefined ? {} : { limiter }),
  ...(references === undefined ? {} : { references }),
  ...(storedItems === undefined ? {} : { storedItems }),
  tenants: {
    tenants,
    create: createTenantPlans,
    load: async (saved) => {
      const { compileSaved, callerCompiler, withDefaultHooks } = await compiler();
      return {
        compileSaved: (text, name, timed) => compileSaved(text, { saved, name, timed }),
        compileCaller: callerCompiler(saved),
        withDefaultHooks,
      };
    },
  },
});
