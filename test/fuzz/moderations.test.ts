import { moderations } from '../../plugins/dialects/moderations/moderations.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(moderations);
