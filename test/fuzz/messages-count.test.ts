import { messagesCount } from '../../plugins/dialects/messages-count/messages-count.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(messagesCount);
