import { configs } from './checks/config/configs.ts';
import { gatewayFile } from './checks/config/gateway-file.ts';
import { packages } from './checks/config/packages.ts';
import { secrets } from './checks/config/secrets.ts';
import { writtenCredentials } from './checks/config/written-credentials.ts';
import { callers } from './checks/listening/callers.ts';
import { certificate } from './checks/listening/certificate.ts';
import { listenAddress } from './checks/listening/listen-address.ts';
import { clock } from './checks/network/clock.ts';
import { hosts } from './checks/network/hosts.ts';
import { providerCertificates } from './checks/network/provider-certificates.ts';
import { providerKeys } from './checks/network/provider-keys.ts';
import { proxy } from './checks/network/proxy.ts';
import { telemetry } from './checks/network/telemetry.ts';
import { logSize } from './checks/store/log-size.ts';
import { redis } from './checks/store/redis.ts';
import { store } from './checks/store/store.ts';
import { diskSpace } from './checks/system/disk-space.ts';
import { folders } from './checks/system/folders.ts';
import { memory } from './checks/system/memory.ts';
import { nodeVersion } from './checks/system/node-version.ts';
import { processLimits } from './checks/system/process-limits.ts';
import { timeZone } from './checks/system/time-zone.ts';
import { user } from './checks/system/user.ts';
import { workers } from './checks/system/workers.ts';
import type { Check } from './set-up/finding.ts';

/** All checks of `gw doctor`, in the order in which their findings are shown. */
export const checks: readonly Check[] = [
  ...[gatewayFile, configs, secrets, writtenCredentials, packages],
  ...[listenAddress, certificate, callers],
  ...[hosts, providerKeys, clock, proxy, providerCertificates, telemetry],
  ...[store, redis, logSize],
  ...[nodeVersion, processLimits, memory, workers, diskSpace, folders, user, timeZone],
];
