import { completions } from '../../plugins/dialects/completions.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(completions);
