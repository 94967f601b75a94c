import { listensOn } from '../../../runtime/cli/greeting.ts';
import { findHealth } from '../../../runtime/cli/health.ts';

/** Whether a gateway answers at an address. */
export const isGatewayAt = async (
  address: { readonly host: string; readonly port: number },
  timeoutMs: number,
): Promise<boolean> => {
  if (address.port === 0) return false;
  const { isWell } = await findHealth(listensOn(address), { live: true, timeoutMs });
  return isWell;
};
