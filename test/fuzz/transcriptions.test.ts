import { transcriptions } from '../../plugins/dialects/audio/transcriptions.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(transcriptions);
