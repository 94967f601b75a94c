import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { ServiceKey } from '../server/service-keys.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';

/** The gateway file's keys with their references resolved. Throws a `ServeFailure` that lists all missing ones. */
export const serviceKeysOf = ({ auth }: GatewayFile, read: SecretReader): readonly ServiceKey[] => {
  const missing: string[] = [];
  const keys: ServiceKey[] = [];
  for (const { id, key: ref, tenant } of auth?.keys ?? []) {
    const key = isSecretRef(ref) ? read(ref) : undefined;
    if (key === undefined) missing.push(`"${id}" (${ref})`);
    else keys.push({ id, key, ...(tenant === undefined ? {} : { tenant }) });
  }
  if (missing.length === 0) return keys;
  throw new ServeFailure(
    `These service keys have no value: ${missing.join(', ')}. Set the variables or files that they refer to.`,
  );
};
