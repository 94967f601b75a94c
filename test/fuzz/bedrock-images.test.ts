import { bedrockImages } from '../../plugins/dialects/bedrock-images/bedrock-images.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(bedrockImages);
