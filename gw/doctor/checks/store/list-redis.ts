import { neededInCache } from '../../../../plugins/caches/redis/redis-cache.ts';
import { limitCommands } from '../../../../plugins/control/metering/counters/redis/script-texts.ts';
import type { RedisNeeds } from '../../../../plugins/redis/redis-needs.ts';
import { isSecretRef } from '../../../../runtime/cli/settings/secret-reader.ts';
import type { SetUp } from '../../set-up/set-up.ts';

/** A Redis that the gateway file names. */
export interface NamedRedis {
  /** The setting that names it. */
  readonly setting: string;
  readonly url: string;
  /** `host:port`, without user and password. */
  readonly where: string;
  /** Whether limits are counted in it. A cache may lose its contents. */
  readonly isForLimits: boolean;
  readonly needed: RedisNeeds;
}

const neededForLimits = (): RedisNeeds => ({ commands: limitCommands(), keys: ['{gatewright:limits:doctor}'] });

/** Lists those whose URL is known. A reference without a value is reported by the check of secrets. */
export const listRedis = ({ settings, secrets }: SetUp): readonly NamedRedis[] =>
  [
    {
      ...{ setting: '"store.limits.url"', written: settings.store?.limits?.url, isForLimits: true },
      needed: neededForLimits(),
    },
    { setting: '"cache.url"', written: settings.cache?.url, isForLimits: false, needed: neededInCache() },
  ].flatMap(({ setting, written, isForLimits, needed }) => {
    const url = written !== undefined && isSecretRef(written) ? secrets(written) : written;
    const parsed = url === undefined ? null : URL.parse(url);
    return url === undefined || parsed === null ? [] : [{ setting, url, where: parsed.host, isForLimits, needed }];
  });
