import { cohere } from '../../plugins/dialects/cohere/cohere.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(cohere);
