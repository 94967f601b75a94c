import { ocr } from '../../plugins/dialects/ocr/ocr.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(ocr);
