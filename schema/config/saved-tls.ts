/** The TLS of a provider's host. All members but the name are references to PEM: `${env:NAME}` or `${file:/path}`. */
export interface SavedTls {
  /** The authorities that may have issued its certificate, in place of those that are trusted otherwise. */
  readonly ca?: string;
  /** The certificate that the gateway shows to it, and the private key of that; one of them never stands alone. */
  readonly cert?: string;
  readonly key?: string;
  /** The name that its certificate must be for; absent: its host. */
  readonly server_name?: string;
}
