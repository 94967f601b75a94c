import type { ClientRequest, Exchange } from '../exchange/exchange.ts';
import type { UpstreamRequest } from '../http/http.ts';

/** An outgoing request with a credential that its caller did not bring. */
export interface ReferringRequest {
  readonly request: UpstreamRequest;
  /** The id of the body's dialect. Undefined if the request is passed through. */
  readonly dialect: string | undefined;
  /** The saved provider or virtual key that the credential belongs to. Undefined if the config names none. */
  readonly slug: string | undefined;
}

/** Something that a request refers to. */
export interface NamedThing {
  readonly id: string;
  /** The same as in `AnswerMaker`. Undefined if unknown. */
  readonly account: string | undefined;
  /** The saved provider or virtual key whose account has it. Undefined if unknown. */
  readonly slug: string | undefined;
}

/** Checks what requests refer to in provider accounts that others use too. */
export interface ReferenceGuard {
  /**
   * Called once for what a leaf is about to send. Returns undefined if there is nothing to check. Throws, or rejects with, a
   * `GatewayError` if the request refers to something that does not belong to its caller.
   */
  check(referring: ReferringRequest, exchange: Exchange): Promise<void> | undefined;
  /**
   * Returns the things that a request refers to, with the accounts in which its caller created them. Empty if it refers to none.
   * Called if the keys of a target belong to several accounts.
   */
  named(request: Pick<ClientRequest, 'path' | 'body'>, exchange: Exchange): Promise<readonly NamedThing[]>;
}
