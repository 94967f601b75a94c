/** Why requests may not be sent to a base URL. */
export interface HostError {
  /** The end of a sentence. */
  readonly reason: string;
  /** Whether the operator can allow the host by listing it as trusted. Otherwise only another URL helps. */
  readonly listable: boolean;
}
