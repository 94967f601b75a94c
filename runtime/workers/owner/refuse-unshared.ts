import type { WorkersOptions } from '../../cli/services/workers.ts';
import { ServeFailure } from '../../cli/settings/serve-failure.ts';

type Refused = Pick<WorkersOptions, 'store'> & {
  readonly environment: Pick<WorkersOptions['environment'], 'settings' | 'plugins'>;
};

/** Finds what several processes cannot serve exactly, and says what an operator changes. */
const reasons: readonly ((refused: Refused) => string | undefined | false)[] = [
  ({ store, environment: { plugins } }) => {
    const plugin = plugins.find(({ routes = [], start }) => routes.length > 0 || start !== undefined);
    return (
      store === undefined &&
      plugin !== undefined &&
      `The plugin "${plugin.name}" has work of its own beside requests, which one process does. Remove it`
    );
  },
];

/** Says why several processes cannot serve a gateway as exactly as one; undefined where they can. */
export const findUnshared = (given: Refused, count: number): string | undefined => {
  for (const find of reasons) {
    const reason = find(given);
    if (typeof reason === 'string')
      return `This gateway cannot be served by ${count} workers. ${reason}, or serve with one worker.`;
  }
  return undefined;
};

/** Throws a `ServeFailure` for a gateway that several processes cannot serve as exactly as one. */
export const refuseUnshared = (given: Refused, count: number): void => {
  const reason = findUnshared(given, count);
  if (reason !== undefined) throw new ServeFailure(reason);
};
