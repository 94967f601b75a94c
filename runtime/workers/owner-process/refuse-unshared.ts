import type { WorkersOptions } from '../../cli/services/workers.ts';
import { ServeFailure } from '../../cli/settings/serve-failure.ts';

type Refused = Pick<WorkersOptions, 'store'> & {
  readonly environment: Pick<WorkersOptions['environment'], 'plugins'>;
};

/**
 * Returns why several processes cannot serve a gateway exactly like one. Undefined if they can. The handlers of a plugin's routes
 * and its `start` share the memory of one process with its other parts, which all workers need.
 */
export const findUnshared = ({ store, environment: { plugins } }: Refused, count: number): string | undefined => {
  if (store !== undefined) return undefined;
  const plugin = plugins.find(({ routes = [], start }) => routes.length > 0 || start !== undefined);
  return plugin === undefined
    ? undefined
    : `This gateway cannot be served by ${count} workers. The plugin "${plugin.name}" has routes or background work, whose memory would differ between workers. Remove it, or serve with one worker.`;
};

/** Throws a `ServeFailure` for a gateway that several processes cannot serve exactly like one. */
export const refuseUnshared = (given: Refused, count: number): void => {
  const reason = findUnshared(given, count);
  if (reason !== undefined) throw new ServeFailure(reason);
};
