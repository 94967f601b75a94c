import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { olderClientCodec } from '../cohere-embeddings/client-codec.ts';
import { embed } from '../cohere-embeddings/cohere-embeddings.ts';
import { olderCohereEmbeddings as declaration } from '../embeddings/declaration.ts';

/** Cohere's embed, version 1, for its clients: https://docs.cohere.com/v1/reference/embed */
export const olderCohereEmbeddings: Dialect = { ...declaration, ...embed, clientCodecs: { embed: olderClientCodec } };
