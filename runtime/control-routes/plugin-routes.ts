import type { IdempotencyStore } from '../../plugins/sdk/control-plane/idempotency-store.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Dispatch } from '../../plugins/sdk/route/route-row.ts';
import type { Gateway } from '../engine/gateway.ts';
import { createInnerClients } from '../http/exchange/clients.ts';
import { createMemoryIdempotencyStore } from '../in-memory/memory-idempotency-store.ts';
import { Seeds } from '../in-memory/seeds.ts';
import { type ControlRoutes, type ControlRoutesOptions, createControlRoutes } from './control-routes.ts';
import { type Caller, createDispatcher, type DispatcherOptions } from './dispatcher.ts';

export interface PluginRoutesOptions
  extends Omit<ControlRoutesOptions, 'gateway' | 'kept' | 'dispatch'>,
    Pick<DispatcherOptions, 'generations' | 'plan'> {
  readonly gateway: Gateway;
  /** Default: in memory. */
  readonly kept?: IdempotencyStore | undefined;
}

/** The routes of plugins, and the requests that these send to the gateway. */
export interface PluginRoutes {
  readonly dispatch: (caller: Caller) => Dispatch;
  /** Absent if no plugin has routes. */
  readonly control?: ControlRoutes;
}

export type CreatePluginRoutes = (options: PluginRoutesOptions) => PluginRoutes;

const hasRoutes = ({ routes = [] }: Plugin): boolean => routes.length > 0;

/** Throws a `PluginError` for routes that cannot be served. */
export const createPluginRoutes: CreatePluginRoutes = ({ kept = createMemoryIdempotencyStore(), ...options }) => {
  const { plugins } = options;
  const dispatch = createDispatcher({ ...options, clients: createInnerClients(plugins), seeds: new Seeds() });
  return plugins.some(hasRoutes)
    ? { dispatch, control: createControlRoutes({ ...options, kept, dispatch }) }
    : { dispatch };
};
