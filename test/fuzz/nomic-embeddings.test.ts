import { nomicEmbeddings } from '../../plugins/dialects/nomic-embeddings/nomic-embeddings.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(nomicEmbeddings);
