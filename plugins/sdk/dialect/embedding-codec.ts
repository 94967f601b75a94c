import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { EmbeddingRequest, Vectors } from '../../../schema/embedding/embedding.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RequestPath } from './client-route.ts';

/** A request as a provider takes it. */
export interface EncodedEmbeddings {
  readonly body: JsonObject;
  /** Members of the request that the format, or the provider, does not take. */
  readonly lost: readonly string[];
}

/** Writes the requests of a provider's format for embeddings, and reads its answers. */
export interface EmbeddingCodec {
  /** `drop` are the parameters that the provider does not accept, by wire name. */
  encodeRequest(request: EmbeddingRequest, target: { readonly drop: ReadonlySet<string> }): EncodedEmbeddings;
  /** Throws an `Error` that says why the body is not an answer. */
  decodeAnswer(wire: JsonObject): Vectors;
}

/** Reads the requests of a client's format for embeddings, and writes its answers. */
export interface EmbeddingClientCodec {
  /** Throws the `GatewayError` `invalid-request`. */
  decodeRequest(wire: JsonObject, path: Pick<RequestPath, 'model'>): EmbeddingRequest;
  /** `usage` is an estimate where the provider reported none. */
  encodeAnswer(vectors: Vectors, asked: { readonly request: EmbeddingRequest; readonly usage: Usage }): JsonObject;
}
