import { images } from '../../plugins/dialects/images/images.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(images);
