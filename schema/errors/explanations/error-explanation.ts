/** The explanation of an error of the gateway, in more detail than its message. */
export interface ErrorExplanation {
  /** When it occurs, in full sentences. */
  readonly cause: string;
  /** How to fix it, in full sentences. */
  readonly remedy: string;
  /** The plane that returns it: requests to models, `/v1` routes that change what is saved, or both. */
  readonly plane: 'requests' | 'control' | 'both';
}
