import { rerank } from '../../plugins/dialects/rerank/rerank.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(rerank);
