/** A request whose service key was rejected. Contains no part of the key's secret. */
export interface RefusedKey {
  /** The id that the key contains, whether or not the gateway knows such a key. Absent if it contains none. */
  readonly keyId?: string;
  /** The remote address of the connection. Absent if there is none. */
  readonly address?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
