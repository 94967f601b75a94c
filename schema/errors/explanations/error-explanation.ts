/** An error of the gateway, explained: more than its message says. */
export interface ErrorExplanation {
  /** When it is answered, in whole sentences. */
  readonly cause: string;
  /** The way to mend it, in whole sentences. */
  readonly remedy: string;
  /** The plane that answers with it: that of requests to models, that of `/v1` routes which change what is saved, or both. */
  readonly plane: 'requests' | 'control' | 'both';
}
