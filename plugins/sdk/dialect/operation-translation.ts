import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RequestPath } from './client-route.ts';
import type { Dialect } from './dialect.ts';
import type {
  ClientCodec,
  EncodedOperation,
  OperationShapes,
  OperationTarget,
  ProviderCodec,
  TranslatedOperation,
} from './operation-codec.ts';

/** A client's request on its way to a provider of another format. */
export interface AskedOperation {
  /** The model that the client named. */
  readonly model?: string;
  /** Writes it for the provider, which may have another name for the model. */
  encode(target: OperationTarget & { readonly model?: string | undefined }): EncodedOperation;
  /** Writes the provider's answer for the client. Throws an `Error` that says why the body is no answer to the request. */
  answer(wire: JsonObject, usage: () => Usage): JsonObject;
}

/** Reads a client's request. Throws the `GatewayError` `invalid-request`. */
export type OperationTranslation = (wire: JsonObject, path: Pick<RequestPath, 'model'>) => AskedOperation;

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
      answer: (answered, usage) =>
        client.encodeAnswer(upstream.decodeAnswer(answered, request), { request, body: wire, usage: usage() }),
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

const operations: readonly TranslatedOperation[] = ['embed', 'rerank'];

/** How requests of an operation in a client's dialect become those of another; undefined if they do not. */
export const operationTranslation = (client: Dialect, upstream: Dialect): OperationTranslation | undefined => {
  for (const operation of operations) {
    const translation = between(operation, client, upstream);
    if (translation !== undefined) return translation;
  }
  return undefined;
};
