import { createHash, createHmac } from 'node:crypto';

/** An access key of Alibaba Cloud. Temporary keys have a token. */
export interface AcsCredentials {
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  readonly securityToken?: string;
}

/** A call of an operation, with everything that is signed. */
export interface AcsCall {
  readonly host: string;
  readonly path: string;
  /** The query as it is sent, sorted by name, without the question mark. Empty if there is none. */
  readonly query: string;
  readonly action: string;
  /** The version of the API, such as `2022-03-02`. */
  readonly version: string;
  readonly contentType?: string;
  readonly body: string;
  /** A text that is different for each call. */
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const algorithm = 'ACS3-HMAC-SHA256';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Returns the headers of a POST request signed with version 3 of Alibaba Cloud's method, without `host`.
 * https://www.alibabacloud.com/help/en/sdk/product-overview/v3-request-structure-and-signature
 */
export const signAcs = (
  { host, path, query, action, version, contentType, body, nonce, now }: AcsCall,
  { accessKeyId, accessKeySecret, securityToken }: AcsCredentials,
): Readonly<Record<string, string>> => {
  const bodyHash = sha256(body);
  const headers: Readonly<Record<string, string>> = {
    ...(contentType !== undefined && { 'content-type': contentType }),
    'x-acs-action': action,
    'x-acs-content-sha256': bodyHash,
    'x-acs-date': new Date(now).toISOString().replace(/\.\d{3}/, ''),
    ...(securityToken !== undefined && { 'x-acs-security-token': securityToken }),
    'x-acs-signature-nonce': nonce,
    'x-acs-version': version,
  };
  const signed = Object.entries({ ...headers, host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const request = ['POST', path, query, lines, names, bodyHash].join('\n');
  const signature = createHmac('sha256', accessKeySecret)
    .update(`${algorithm}\n${sha256(request)}`)
    .digest('hex');
  return {
    ...headers,
    authorization: `${algorithm} Credential=${accessKeyId},SignedHeaders=${names},Signature=${signature}`,
  };
};
