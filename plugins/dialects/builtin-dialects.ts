import type { Dialect } from '../sdk/dialect.ts';
import { chat } from './chat/chat.ts';
import { embeddings } from './embeddings.ts';

/** Every first-party dialect, by id. */
export const builtinDialects: readonly Dialect[] = [chat, embeddings];
