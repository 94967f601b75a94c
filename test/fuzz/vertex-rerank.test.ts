import { vertexRerank } from '../../plugins/dialects/vertex-rerank/vertex-rerank.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(vertexRerank);
