/** Why requests may not be sent to a base URL. */
export interface HostError {
  /** The second half of a sentence. */
  readonly reason: string;
  /** Whether the operator can allow the host by listing it as trusted. If not, another URL is required. */
  readonly listable: boolean;
}
