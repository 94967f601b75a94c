import type { EmbeddingAnswer, EmbeddingRequest } from '../../../schema/embedding/embedding.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RequestPath } from './client-route.ts';

/** A request as a provider takes it. */
export interface EncodedEmbeddings {
  readonly body: JsonObject;
  /** Members of the request that the format, or the provider, does not take. */
  readonly lost: readonly string[];
}

/** How an answer is written for the client that asked. */
export interface EncodeEmbeddings {
  readonly request: EmbeddingRequest;
  /** Counted, or estimated where the provider reported nothing. */
  readonly usage: NonNullable<EmbeddingAnswer['usage']>;
}

/** Writes the requests of a format for embeddings, and reads its answers. */
export interface EmbeddingCodec {
  /** `drop` are the parameters that the provider does not accept, by wire name. */
  encodeRequest(request: EmbeddingRequest, target: { readonly drop: ReadonlySet<string> }): EncodedEmbeddings;
  /** Throws an `Error` that says why the body is not an answer. */
  decodeAnswer(wire: JsonObject, request: EmbeddingRequest): EmbeddingAnswer;
}

/** The other direction too, for a format whose clients can be served by providers of another. */
export interface EmbeddingClientCodec extends EmbeddingCodec {
  /** Throws the `GatewayError` `invalid-request`. */
  decodeRequest(wire: JsonObject, path: Pick<RequestPath, 'model'>): EmbeddingRequest;
  encodeAnswer(answer: EmbeddingAnswer, how: EncodeEmbeddings): JsonObject;
}
