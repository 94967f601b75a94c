/**
 * One message of a stream: a server-sent event, a line of JSON, an item of a JSON array, or a message of an AWS event
 * stream, whose headers `:event-type` and `:exception-type` are its event.
 */
export interface Frame {
  readonly event?: string;
  readonly data: string;
  /** The other headers of a message of an AWS event stream. */
  readonly headers?: { readonly [name: string]: string };
}
