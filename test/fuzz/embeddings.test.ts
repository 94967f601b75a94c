import { embeddings } from '../../plugins/dialects/embeddings/embeddings.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(embeddings);
