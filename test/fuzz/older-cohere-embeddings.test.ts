import { olderCohereEmbeddings } from '../../plugins/dialects/older-cohere-embeddings/older-cohere-embeddings.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(olderCohereEmbeddings);
