import { RefusalError } from '../client/api-refusal.ts';
import { callApi } from '../client/call-api.ts';
import { gatewayAccess } from '../client/gateway-access.ts';
import { failed } from '../command-failure.ts';
import type { ControlServices } from '../services.ts';
import { printable } from '../show/printable.ts';

/** A record of the log as JSON, from the gateway that the environment or the profile names. Throws a `CommandFailure`. */
export const fetchLog = async (services: Pick<ControlServices, 'env' | 'home'>, id: string): Promise<string> => {
  const access = await gatewayAccess(services, {});
  try {
    return JSON.stringify(await callApi(access, { method: 'GET', path: `/logs/${encodeURIComponent(id)}` }));
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    throw failed(printable(error.refusal.message), 'gw logs lists what there is.');
  }
};
