import type { Dialect } from '../sdk/dialect.ts';
import { chat } from './chat/chat.ts';
import { embeddings } from './embeddings.ts';
import { gemini } from './gemini/gemini.ts';
import { messages } from './messages/messages.ts';
import { responses } from './responses/responses.ts';

/** Every first-party dialect. */
export const builtinDialects: readonly Dialect[] = [chat, messages, responses, gemini, embeddings];
