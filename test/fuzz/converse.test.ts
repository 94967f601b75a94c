import { converse } from '../../plugins/dialects/converse/converse.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(converse);
