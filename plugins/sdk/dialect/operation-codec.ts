import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { EmbeddingRequest, Vectors } from '../../../schema/operations/embedding.ts';
import type { ImageRequest, Pictures } from '../../../schema/operations/image.ts';
import type { Ranking, RerankRequest } from '../../../schema/operations/rerank.ts';
import type { RawHeaders } from '../http/http.ts';
import type { RequestPath } from './client-route.ts';
import type { EmbeddingForm } from './embedding-form.ts';
import type { Frame } from './frame.ts';

/** The neutral form of requests and answers for each operation that is not a conversation. Formats are translated through it. */
export interface OperationShapes {
  readonly embed: { readonly request: EmbeddingRequest; readonly answer: Vectors };
  readonly rerank: { readonly request: RerankRequest; readonly answer: Ranking };
  readonly image: { readonly request: ImageRequest; readonly answer: Pictures };
}

export type TranslatedOperation = keyof OperationShapes;

/** An encoded request for a provider. */
export interface EncodedOperation {
  readonly body: JsonObject;
  /**
   * `form`: the members, which are texts and numbers, are sent as the fields of a form (RFC 7578). If absent, the body is JSON.
   */
  readonly as?: 'form';
  readonly headers?: RawHeaders;
  /** Members of the request that the format or the provider does not accept. */
  readonly lost: readonly string[];
}

/** The provider that a request is encoded for. */
export interface OperationTarget {
  /** The parameters that the provider does not accept, by wire name. */
  readonly drop: ReadonlySet<string>;
  /** The provider's variant of OpenAI's embeddings format. Absent if it has none. */
  readonly embeddings?: EmbeddingForm | undefined;
}

/** Encodes requests in a provider's format for an operation, and decodes its answers. */
export interface ProviderCodec<Operation extends TranslatedOperation> {
  encodeRequest(request: OperationShapes[Operation]['request'], target: OperationTarget): EncodedOperation;
  /**
   * Throws a `RefusedOperation` if the provider refused the request, or otherwise an `Error` that explains why the body is not an
   * answer to it.
   */
  decodeAnswer(wire: JsonObject, request: OperationShapes[Operation]['request']): OperationShapes[Operation]['answer'];
}

/** The request that an answer belongs to, and other values needed to encode the answer. */
export interface AnsweredOperation<Operation extends TranslatedOperation> {
  readonly request: OperationShapes[Operation]['request'];
  /** The request as the client wrote it, which specifies the form of the answer. */
  readonly body: JsonObject;
  /** The usage; an estimate if the provider reported none. */
  readonly usage: Usage;
  /** The time in seconds since the epoch. */
  readonly created: number;
}

/** Decodes the requests of a client's format for an operation, and encodes its answers. */
export interface ClientCodec<Operation extends TranslatedOperation> {
  /** Throws the `GatewayError` `invalid-request`. */
  decodeRequest(wire: JsonObject, path: Pick<RequestPath, 'model'>): OperationShapes[Operation]['request'];
  encodeAnswer(answer: OperationShapes[Operation]['answer'], asked: AnsweredOperation<Operation>): JsonObject;
  /**
   * Encodes the answer as the frames of a stream, or returns undefined if the request does not ask for a stream. If absent, there
   * are no streams.
   */
  encodeStream?(
    answer: OperationShapes[Operation]['answer'],
    asked: AnsweredOperation<Operation>,
  ): readonly Frame[] | undefined;
}

/** The codec for providers, by the operation of the dialect. */
export type ProviderCodecs = { readonly [Operation in TranslatedOperation]?: ProviderCodec<Operation> };

/** The codec for clients, by the operation of the dialect. */
export type ClientCodecs = { readonly [Operation in TranslatedOperation]?: ClientCodec<Operation> };
