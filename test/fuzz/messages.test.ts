import { messages } from '../../plugins/dialects/messages/messages.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(messages);
