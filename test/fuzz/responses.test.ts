import { responses } from '../../plugins/dialects/responses/responses.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(responses);
