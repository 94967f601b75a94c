/** One thing that is wrong with a request. */
export interface Problem {
  /** The place in the body, as RFC 6901 writes it. */
  readonly pointer: string;
  /** What is the case, in a sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}
