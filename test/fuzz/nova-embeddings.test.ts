import { novaEmbeddings } from '../../plugins/dialects/nova-embeddings/nova-embeddings.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(novaEmbeddings);
