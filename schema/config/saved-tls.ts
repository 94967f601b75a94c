/**
 * The TLS of a provider's host. All members but the name are references: `${env:NAME}` or `${file:/path}`, and `${saved:…}` for
 * what the store has sealed. All but the name and the passphrase are to PEM.
 */
export interface SavedTls {
  /** The authorities that may have issued its certificate, instead of those that are trusted by default. */
  readonly ca?: string;
  /** The certificate that the gateway presents to it, and its private key. Both are present or neither is. */
  readonly cert?: string;
  readonly key?: string;
  /** The passphrase of the key; absent if the key is not encrypted. */
  readonly passphrase?: string;
  /** The name that its certificate must be valid for; its host if absent. */
  readonly server_name?: string;
}
