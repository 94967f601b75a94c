import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RequestPath } from './client-route.ts';
import type { Dialect, Frame } from './dialect.ts';
import type {
  ClientCodec,
  EncodedOperation,
  OperationShapes,
  OperationTarget,
  ProviderCodec,
  TranslatedOperation,
} from './operation-codec.ts';

/** An answer encoded for its client: one body, or the frames of a stream. */
export type WrittenAnswer =
  | { readonly kind: 'body'; readonly body: JsonObject }
  | { readonly kind: 'frames'; readonly frames: readonly Frame[] };

/** A client's request that is translated for a provider of another format. */
export interface TranslatedRequest {
  /** The model that the client named. */
  readonly model?: string;
  /** Encodes the request for the provider, which may use another name for the model. */
  encode(target: OperationTarget & { readonly model?: string | undefined }): EncodedOperation;
  /**
   * Encodes the provider's answer for the client. Throws a `RefusedOperation` if the provider refused the request, or otherwise
   * an `Error` that explains why the body is not an answer to it.
   */
  answer(wire: JsonObject, how: { readonly usage: () => Usage; readonly created: number }): WrittenAnswer;
}

/** Decodes a client's request. Throws the `GatewayError` `invalid-request`. */
export type OperationTranslation = (wire: JsonObject, path: Pick<RequestPath, 'model'>) => TranslatedRequest;

const joined =
  <Operation extends TranslatedOperation>(
    client: ClientCodec<Operation>,
    upstream: ProviderCodec<Operation>,
  ): OperationTranslation =>
  (wire, path) => {
    const request: OperationShapes[Operation]['request'] = client.decodeRequest(wire, path);
    const { model } = request;
    return {
      ...(model === undefined ? {} : { model }),
      encode: ({ model: served, ...target }) =>
        upstream.encodeRequest(served === undefined ? request : { ...request, model: served }, target),
      answer(answered, { usage, created }) {
        const decoded = upstream.decodeAnswer(answered, request);
        const how = { request, body: wire, usage: usage(), created };
        const frames = client.encodeStream?.(decoded, how);
        return frames === undefined
          ? { kind: 'body', body: client.encodeAnswer(decoded, how) }
          : { kind: 'frames', frames };
      },
    };
  };

const between = <Operation extends TranslatedOperation>(
  operation: Operation,
  client: Dialect,
  upstream: Dialect,
): OperationTranslation | undefined => {
  const clientCodec = client.clientCodecs?.[operation];
  const providerCodec = upstream.providerCodecs?.[operation];
  return clientCodec === undefined || providerCodec === undefined ? undefined : joined(clientCodec, providerCodec);
};

const operations: readonly TranslatedOperation[] = ['embed', 'rerank', 'image'];

/** Returns how requests for an operation are translated from the client's dialect to another, or undefined if they cannot be. */
export const operationTranslation = (client: Dialect, upstream: Dialect): OperationTranslation | undefined => {
  for (const operation of operations) {
    const translation = between(operation, client, upstream);
    if (translation !== undefined) return translation;
  }
  return undefined;
};
