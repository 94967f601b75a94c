import { completions } from '../../plugins/dialects/completions/completions.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(completions);
