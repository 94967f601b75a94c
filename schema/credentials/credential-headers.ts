/** The headers with clients' keys, in lower case: they are sent to a provider only if they are forwarded by name. */
export const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
]);

/** The headers of a client's AWS signature other than `authorization`. They are never sent to a provider. */
export const awsSignatureHeaders: readonly string[] = ['x-amz-security-token', 'x-amz-date', 'x-amz-content-sha256'];

/** The cloud credentials that a request can send in headers of the gateway, by the names of their config fields. */
export const cloudCredentials: readonly string[] = [
  'clouda_ad_token',
  'clouda_entra_client_secret',
  'cloudb_service_account_json',
  'cloudc_access_key_id',
  'cloudc_secret_access_key',
  'cloudc_session_token',
  'oracle_private_key',
  'oracle_key_passphrase',
];

/** The cookies with the token of a console session: over TLS, and on loopback, where browsers store no other. */
export const sessionCookies = { tls: '__Host-gw', loopback: 'gw-console' } as const;
