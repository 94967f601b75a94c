import { siliconflowImages } from '../../plugins/dialects/siliconflow-images/siliconflow-images.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(siliconflowImages);
