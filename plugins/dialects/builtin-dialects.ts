import type { Dialect } from '../sdk/dialect.ts';
import { chat } from './chat/chat.ts';
import { embeddings } from './embeddings.ts';
import { gemini } from './gemini/gemini.ts';
import { messages } from './messages/messages.ts';

/** Every first-party dialect. */
export const builtinDialects: readonly Dialect[] = [chat, messages, gemini, embeddings];
