import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';

/** Whether something besides its caller needs the usage of a request. */
export type Meters = (exchange: Exchange) => boolean;

const always: Meters = () => true;
const never: Meters = () => false;

/** Called once for each leaf of a request. `usage`: whether the trail records the usage of all requests. */
export const createMeters = ({ usageRecorded, usageWanted }: Hooks, usage: boolean): Meters => {
  const choosing = new Set(usageWanted.taps.map(({ name }) => name));
  if (usage || usageRecorded.taps.some(({ name }) => !choosing.has(name))) return always;
  if (!usageRecorded.isUsed()) return never;
  return (exchange) => {
    try {
      return usageWanted.call(exchange) === true;
    } catch {
      // A plugin's bug costs the usage of a request, not the request.
      return false;
    }
  };
};
