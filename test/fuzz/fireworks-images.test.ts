import { fireworksImages } from '../../plugins/dialects/fireworks-images/fireworks-images.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(fireworksImages);
