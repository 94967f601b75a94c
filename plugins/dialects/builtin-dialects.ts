import type { Dialect } from '../sdk/dialect.ts';
import { chat } from './chat/chat.ts';
import { converse } from './converse/converse.ts';
import { embeddings } from './embeddings.ts';
import { messages } from './messages/messages.ts';

/** Every first-party dialect. */
export const builtinDialects: readonly Dialect[] = [chat, messages, converse, embeddings];
