import { cohereEmbeddings } from '../../plugins/dialects/cohere-embeddings/cohere-embeddings.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(cohereEmbeddings);
