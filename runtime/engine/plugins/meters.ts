import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';

/** Whether something wants the usage of a request, beside its caller. */
export type Meters = (exchange: Exchange) => boolean;

const always: Meters = () => true;
const never: Meters = () => false;

/** Asked once for each leaf of a request. `usage`: the trail says it of all. */
export const createMeters = ({ usageRecorded, usageWanted }: Hooks, usage: boolean): Meters => {
  const choosing = new Set(usageWanted.taps.map(({ name }) => name));
  if (usage || usageRecorded.taps.some(({ name }) => !choosing.has(name))) return always;
  if (!usageRecorded.isUsed()) return never;
  return (exchange) => {
    try {
      return usageWanted.call(exchange) === true;
    } catch {
      // The bug of a plugin costs the usage of a request, not the request.
      return false;
    }
  };
};
