import { dirname } from 'node:path';
import { listensOn } from '../../../runtime/cli/greeting.ts';
import { findHealth, ownTls } from '../../../runtime/cli/health.ts';
import type { SetUp } from './set-up.ts';

/** Whether a gateway answers at an address. */
export const isGatewayAt = async ({
  address,
  settings,
  file = '',
  env,
  timeoutMs,
}: Pick<SetUp, 'address' | 'settings' | 'file' | 'env' | 'timeoutMs'>): Promise<boolean> => {
  if (address.port === 0) return false;
  const { tls } = settings.listen ?? {};
  const place =
    tls === undefined
      ? { url: listensOn(address) }
      : { url: listensOn(address, { isSecure: true }), tls: await ownTls(tls, { folder: dirname(file), env }) };
  const { isWell } = await findHealth(place, { live: true, timeoutMs });
  return isWell;
};
