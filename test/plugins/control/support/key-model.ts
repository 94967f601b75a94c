/** A key as people would write down what it may be used for. */
export interface ModelKey {
  readonly id: string;
  readonly text: string;
  /** The text before the last rotation, and until when it is accepted. */
  readonly before?: { readonly text: string; readonly until: number };
  /** Undefined: it does not expire. */
  readonly end: number | undefined;
  readonly revoked: boolean;
}

/** The id of the key that a text is at a time. */
export const findHolder = (keys: readonly ModelKey[], text: string, now: number): string | undefined =>
  keys.find(
    (key) =>
      !key.revoked &&
      (key.end === undefined || now < key.end) &&
      (key.text === text || (key.before?.text === text && now < key.before.until)),
  )?.id;
