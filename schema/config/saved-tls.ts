/**
 * The TLS of a provider's host. All members but the name are references: `${env:NAME}` or `${file:/path}`, and `${saved:…}` for
 * what the store has sealed. All but the name and the passphrase are to PEM.
 */
export interface SavedTls {
  /** The authorities that may have issued its certificate, in place of those that are trusted otherwise. */
  readonly ca?: string;
  /** The certificate that the gateway shows to it, and the private key of that; one of them never stands alone. */
  readonly cert?: string;
  readonly key?: string;
  /** The passphrase that the key is encrypted with; absent where it is not. */
  readonly passphrase?: string;
  /** The name that its certificate must be for; absent: its host. */
  readonly server_name?: string;
}
