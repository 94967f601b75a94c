import { speech } from '../../plugins/dialects/audio/speech.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(speech);
