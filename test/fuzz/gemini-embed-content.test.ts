import { geminiEmbedContent } from '../../plugins/dialects/gemini-embed-content/gemini-embed-content.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(geminiEmbedContent);
