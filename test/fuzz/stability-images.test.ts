import { stabilityImages } from '../../plugins/dialects/stability-images/stability-images.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(stabilityImages);
