/** A simple description of when a key is valid. */
export interface ModelKey {
  readonly id: string;
  readonly text: string;
  /** The text before the last rotation, and the time until which it is accepted. */
  readonly before?: { readonly text: string; readonly until: number };
  /** When the key expires; undefined if it does not. */
  readonly end: number | undefined;
  readonly revoked: boolean;
}

/** Returns the id of the key for which a text is valid at a time. */
export const findHolder = (keys: readonly ModelKey[], text: string, now: number): string | undefined =>
  keys.find(
    (key) =>
      !key.revoked &&
      (key.end === undefined || now < key.end) &&
      (key.text === text || (key.before?.text === text && now < key.before.until)),
  )?.id;
