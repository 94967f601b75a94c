import { gemini } from '../../plugins/dialects/gemini/gemini.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(gemini);
