import { isSecretRef } from '../../../../runtime/cli/settings/secret-reader.ts';
import type { SetUp } from '../../set-up/set-up.ts';

/** A Redis of the gateway file. */
export interface NamedRedis {
  /** The setting that names it. */
  readonly setting: string;
  readonly url: string;
  /** `host:port`, without user and password. */
  readonly where: string;
  /** Whether limits are counted in it: a cache may lose what it has. */
  readonly isForLimits: boolean;
}

/** Those whose URL is known; a reference without a value is found among the other secrets. */
export const listRedis = ({ settings, secrets }: SetUp): readonly NamedRedis[] =>
  [
    { setting: '"store.limits.url"', written: settings.store?.limits?.url, isForLimits: true },
    { setting: '"cache.url"', written: settings.cache?.url, isForLimits: false },
  ].flatMap(({ setting, written, isForLimits }) => {
    const url = written !== undefined && isSecretRef(written) ? secrets(written) : written;
    const parsed = url === undefined ? null : URL.parse(url);
    return url === undefined || parsed === null ? [] : [{ setting, url, where: parsed.host, isForLimits }];
  });
