/** What is written down of a change, or of a limit that was reached. It has no body, and so no secret. */
export interface AuditRecord {
  /** Unique; a record that is written again with the same id is kept once. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly organisation: string;
  /** Absent for what concerns a whole organisation. */
  readonly workspace?: string | undefined;
  readonly method: string;
  /** The path, without its query. */
  readonly uri: string;
  /** The id of the key that acted, `gateway`, or `unknown` for refused keys that nobody has. */
  readonly actor: string;
  /** As in scopes: `policies`. */
  readonly resourceType: string;
  /** As in scopes: `update`; `limit_reached` for limits, `refused` for keys. */
  readonly action: string;
  /** The status of the answer. */
  readonly status: number;
  readonly clientIp?: string | undefined;
  /** What there is to know beside it, as members of JSON. */
  readonly detail?: Readonly<Record<string, string | number>>;
}
