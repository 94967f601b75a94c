import { GatewayError } from '../../../schema/errors/errors.ts';
import type { Acceptance } from './acceptance.ts';

/** An error that names headers as the client of another gateway knows them; as it is for all other clients. */
export const inTheirNames: Acceptance['named'] = (error, { caller: { accepted } }) => {
  if (accepted === undefined) return error;
  const message = accepted.toTheirs(error.report.message);
  return message === error.report.message ? error : new GatewayError({ ...error.report, message }, { cause: error });
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
