import { chat } from '../../plugins/dialects/chat/chat.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(chat);
