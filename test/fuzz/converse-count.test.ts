import { converseCount } from '../../plugins/dialects/converse-count/converse-count.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(converseCount);
