import { awsSignatureHeaders, credentialHeaders } from '../../../../schema/credentials/credential-headers.ts';
import { isForeignKeyHeader } from '../../../../schema/credentials/foreign-key-headers.ts';
import type { RawHeaders } from '../../../sdk/http/http.ts';

const never: ReadonlySet<string> = new Set([
  ...credentialHeaders,
  ...awsSignatureHeaders,
  ...['cookie', 'proxy-authorization', 'x-gw-api-key', 'x-gw-config'],
]);

const mask = '[masked]';

export interface HeaderChoice {
  /** In lower case. */
  readonly allowed: readonly string[];
  /** In lower case: those whose values are not kept. */
  readonly sensitive: readonly string[];
}

/** The headers that the log keeps, with names in lower case. Credentials are never among them. */
export const loggedHeaders = (headers: RawHeaders, { allowed, sensitive }: HeaderChoice): RawHeaders => {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    if (!allowed.includes(name) || never.has(name) || isForeignKeyHeader(name)) continue;
    kept.push(name, sensitive.includes(name) ? mask : (headers[at + 1] ?? ''));
  }
  return kept;
};
