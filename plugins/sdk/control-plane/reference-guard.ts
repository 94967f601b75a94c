import type { ClientRequest, Exchange } from '../exchange/exchange.ts';
import type { UpstreamRequest } from '../http/http.ts';

/** A request as it goes out, with a credential that its caller did not bring. */
export interface ReferringRequest {
  readonly request: UpstreamRequest;
  /** The id of the dialect that its body is in; undefined if it is passed through. */
  readonly dialect: string | undefined;
  /** The saved provider or virtual key whose credential it has; undefined if the config names none. */
  readonly slug: string | undefined;
}

/** Something that a request names. */
export interface NamedThing {
  readonly id: string;
  /** As `AnswerMaker` has it; undefined if that is not known. */
  readonly account: string | undefined;
  /** The saved provider or virtual key whose account has it; undefined if that is not known. */
  readonly slug: string | undefined;
}

/** Judges what requests name in accounts of providers that others use too. */
export interface ReferenceGuard {
  /**
   * Called once for what a leaf is about to send. Undefined if there is nothing to ask. Throws, or rejects with, a `GatewayError`
   * where a request names what is not its caller's.
   */
  check(referring: ReferringRequest, exchange: Exchange): Promise<void> | undefined;
  /**
   * Finds with which accounts its caller made what a request names; empty where it names nothing. Called where the keys of a
   * target are of several accounts.
   */
  named(request: Pick<ClientRequest, 'path' | 'body'>, exchange: Exchange): Promise<readonly NamedThing[]>;
}
