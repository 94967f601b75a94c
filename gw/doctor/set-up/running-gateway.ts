import { dirname } from 'node:path';
import { listensOn } from '../../../runtime/cli/greeting.ts';
import { findHealth, ownTls } from '../../../runtime/cli/health.ts';
import type { GatewayState, SetUp } from './set-up.ts';

/** Returns how a gateway answers at an address, whose server may also be another program. */
export const findGatewayAt = async ({
  address,
  settings,
  file = '',
  env,
  timeoutMs,
}: Pick<SetUp, 'address' | 'settings' | 'file' | 'env' | 'timeoutMs'>): Promise<GatewayState> => {
  if (address.port === 0) return 'absent';
  const { tls } = settings.listen ?? {};
  const place =
    tls === undefined
      ? { url: listensOn(address) }
      : { url: listensOn(address, { isSecure: true }), tls: await ownTls(tls, { folder: dirname(file), env }) };
  const { isWell, isSilent } = await findHealth(place, { live: true, timeoutMs });
  if (isWell) return 'answers';
  return isSilent ? 'silent' : 'absent';
};
