import { responsesCount } from '../../plugins/dialects/responses-count/responses-count.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(responsesCount);
