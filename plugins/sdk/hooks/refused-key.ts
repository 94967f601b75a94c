/** A request whose service key was refused. It has nothing of the key's secret. */
export interface RefusedKey {
  /** The id that the key says of itself, whether the gateway knows such a key or not; absent where it says none. */
  readonly keyId?: string;
  /** The address at the other end of the connection; absent where there is none. */
  readonly address?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
