import type { Exchange } from '../exchange/exchange.ts';
import type { UpstreamRequest } from '../http/http.ts';

/** A request as it goes out, with a credential that its caller did not bring. */
export interface ReferringRequest {
  readonly request: UpstreamRequest;
  /** The id of the dialect that its body is in; undefined if it is passed through. */
  readonly dialect: string | undefined;
  /** The saved provider or virtual key whose credential it has; undefined if the config names none. */
  readonly slug: string | undefined;
}

/** Judges what requests name in accounts of providers that others use too. */
export interface ReferenceGuard {
  /**
   * Called once for what a leaf is about to send. Undefined if there is nothing to ask. Throws, or rejects with, a `GatewayError`
   * where a request names what is not its caller's.
   */
  check(referring: ReferringRequest, exchange: Exchange): Promise<void> | undefined;
}
