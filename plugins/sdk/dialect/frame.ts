/**
 * One message of a stream: a server-sent event, a line of JSON, an item of a JSON array, or a message of an AWS event stream, in
 * which `event` is the header `:event-type` or `:exception-type`.
 */
export interface Frame {
  readonly event?: string;
  readonly data: string;
  /** The other headers of an AWS event-stream message. */
  readonly headers?: { readonly [name: string]: string };
}
