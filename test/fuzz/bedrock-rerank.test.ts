import { bedrockRerank } from '../../plugins/dialects/bedrock-rerank/bedrock-rerank.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(bedrockRerank);
