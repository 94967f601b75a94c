import { googleImages } from '../../plugins/dialects/google-images/google-images.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(googleImages);
