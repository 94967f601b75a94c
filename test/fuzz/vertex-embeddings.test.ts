import { vertexEmbeddings } from '../../plugins/dialects/vertex-embeddings/vertex-embeddings.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(vertexEmbeddings);
