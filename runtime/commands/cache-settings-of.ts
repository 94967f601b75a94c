import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { CacheSettings } from '../link/cache/caches.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';

/** The protocol is checked again, since a reference may have any value. It may contain a password, so it is not shown. */
const checkedUrl = (url: string, from: string): string => {
  if (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol)) return url;
  throw new ServeFailure(
    `The value of "cache.url" in the gateway file (${from}) is not the URL of a Redis: it must begin with redis:// or rediss://.`,
  );
};

const urlOf = (given: string, read: SecretReader): string => {
  if (!isSecretRef(given)) return checkedUrl(given, 'as written');
  const value = read(given);
  if (value !== undefined) return checkedUrl(value, given);
  throw new ServeFailure(
    `"cache.url" in the gateway file refers to ${given}, which is not set. Set it, or remove "url".`,
  );
};

/** The gateway file's `cache` with its reference resolved. Throws a `ServeFailure` for a URL that cannot be used. */
export const cacheSettingsOf = ({ cache = {} }: GatewayFile, read: SecretReader): CacheSettings => ({
  ...(cache.url === undefined ? {} : { url: urlOf(cache.url, read) }),
  ...(cache.max_bytes === undefined ? {} : { maxBytes: cache.max_bytes }),
  ...(cache.stale_if_error_s === undefined ? {} : { staleIfErrorS: cache.stale_if_error_s }),
});
