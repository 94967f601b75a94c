import type { IncomingMessage, ServerResponse } from 'node:http';

/** The connection that an exchange came on. */
export interface Connection {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
