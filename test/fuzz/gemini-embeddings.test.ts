import { geminiEmbeddings } from '../../plugins/dialects/gemini-embeddings/gemini-embeddings.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(geminiEmbeddings);
