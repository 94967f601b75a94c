import { GatewayError } from '../../../schema/errors/errors.ts';
import type { Acceptance } from './acceptance.ts';

/**
 * The sentence for a name of Portkey's that is not saved here, which a client sends as it did there. A suggestion of the nearest name
 * stays alone.
 */
const importHint = ({ code, message }: GatewayError['report'], virtualKey: string | undefined): string => {
  const isConfig = code === 'unknown-config';
  const isKey = code === 'invalid-header' && virtualKey !== undefined && message.includes('x-gw-virtual-key');
  if ((!isConfig && !isKey) || message.includes('Did you mean')) return '';
  return isConfig
    ? ' Configs of Portkey are used here once they are imported: run gw import portkey, or save the config under this name.'
    : ' Virtual keys of Portkey are used here once they are saved: save one under this slug, in the gateway file or a store.';
};

/** An error that names headers as the client of another gateway knows them; as it is for all other clients. */
export const inTheirNames: Acceptance['named'] = (error, { caller: { accepted, virtualKey } }) => {
  if (accepted === undefined) return error;
  const { report } = error;
  const message = accepted.toTheirs(report.message + importHint(report, virtualKey));
  return message === report.message ? error : new GatewayError({ ...report, message }, { cause: error });
};

/** Chooses the plan of a request; what says why there is none names headers so. */
export const chooseInTheirNames: Acceptance['choose'] = (choose) => (exchange) => {
  const rethrow = (error: unknown): never => {
    throw error instanceof GatewayError ? inTheirNames(error, exchange) : error;
  };
  try {
    const chosen = choose(exchange);
    return chosen instanceof Promise ? chosen.catch(rethrow) : chosen;
  } catch (error) {
    return rethrow(error);
  }
};
