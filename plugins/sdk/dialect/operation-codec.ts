import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { EmbeddingRequest, Vectors } from '../../../schema/operations/embedding.ts';
import type { ImageRequest, Pictures } from '../../../schema/operations/image.ts';
import type { Ranking, RerankRequest } from '../../../schema/operations/rerank.ts';
import type { RawHeaders } from '../http/http.ts';
import type { RequestPath } from './client-route.ts';
import type { EmbeddingForm } from './embedding-form.ts';
import type { Frame } from './frame.ts';

/** By operation that is no conversation: its request and its answer in no dialect, through which formats are translated. */
export interface OperationShapes {
  readonly embed: { readonly request: EmbeddingRequest; readonly answer: Vectors };
  readonly rerank: { readonly request: RerankRequest; readonly answer: Ranking };
  readonly image: { readonly request: ImageRequest; readonly answer: Pictures };
}

export type TranslatedOperation = keyof OperationShapes;

/** A request as a provider takes it. */
export interface EncodedOperation {
  readonly body: JsonObject;
  /** `form`: the members, which are texts and numbers, are the fields of a form (RFC 7578). Absent: the body is JSON. */
  readonly as?: 'form';
  readonly headers?: RawHeaders;
  /** Members of the request that the format, or the provider, does not take. */
  readonly lost: readonly string[];
}

/** The provider that a request is written for. */
export interface OperationTarget {
  /** The parameters that it does not accept, by wire name. */
  readonly drop: ReadonlySet<string>;
  /** Its form of OpenAI's embeddings; absent where it has none of its own. */
  readonly embeddings?: EmbeddingForm | undefined;
}

/** Writes the requests of a provider's format for an operation, and reads its answers. */
export interface ProviderCodec<Operation extends TranslatedOperation> {
  encodeRequest(request: OperationShapes[Operation]['request'], target: OperationTarget): EncodedOperation;
  /** Throws a `RefusedOperation` if the provider refused the request, and else an `Error` that says why the body is no answer to it. */
  decodeAnswer(wire: JsonObject, request: OperationShapes[Operation]['request']): OperationShapes[Operation]['answer'];
}

/** The request that an answer is to, and what else it is written by. */
export interface AnsweredOperation<Operation extends TranslatedOperation> {
  readonly request: OperationShapes[Operation]['request'];
  /** The request as the client wrote it, which says in which form it wants its answer. */
  readonly body: JsonObject;
  /** An estimate where the provider reported none. */
  readonly usage: Usage;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** Reads the requests of a client's format for an operation, and writes its answers. */
export interface ClientCodec<Operation extends TranslatedOperation> {
  /** Throws the `GatewayError` `invalid-request`. */
  decodeRequest(wire: JsonObject, path: Pick<RequestPath, 'model'>): OperationShapes[Operation]['request'];
  encodeAnswer(answer: OperationShapes[Operation]['answer'], asked: AnsweredOperation<Operation>): JsonObject;
  /** Writes the answer as the frames of a stream; undefined if the request asks for none. Absent: there are no streams. */
  encodeStream?(
    answer: OperationShapes[Operation]['answer'],
    asked: AnsweredOperation<Operation>,
  ): readonly Frame[] | undefined;
}

/** The codec of a dialect, by the operation that the dialect is of. */
export type ProviderCodecs = { readonly [Operation in TranslatedOperation]?: ProviderCodec<Operation> };

/** The codec for the clients of a dialect, by the operation that the dialect is of. */
export type ClientCodecs = { readonly [Operation in TranslatedOperation]?: ClientCodec<Operation> };
