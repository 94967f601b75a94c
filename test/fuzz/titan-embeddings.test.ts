import { titanEmbeddings } from '../../plugins/dialects/titan-embeddings/titan-embeddings.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(titanEmbeddings);
