import { geminiCount } from '../../plugins/dialects/gemini-count/gemini-count.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(geminiCount);
