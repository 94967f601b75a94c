import { RefusalError } from '../client/api-refusal.ts';
import { callApi } from '../client/call-api.ts';
import { ControlPlane } from '../client/control-plane.ts';
import type { GatewayAccess } from '../client/gateway-access.ts';
import { failed } from '../command-line/command-failure.ts';
import { requireShape } from '../show/documented-shape.ts';
import { printable } from '../show/printable.ts';

/** A record of the log as JSON. Throws a `CommandFailure`. */
export const fetchLog = async (access: GatewayAccess, id: string): Promise<string> => {
  try {
    const plane = await ControlPlane.find(access);
    const record = await callApi(plane, { method: 'GET', path: `/logs/${encodeURIComponent(id)}` });
    requireShape({ as: 'json' }, record, {});
    return JSON.stringify(record);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    throw failed(printable(error.refusal.message), 'gw logs lists what there is.');
  }
};
