import { chatTongue } from './chat-tongue.ts';
import { converseTongue } from './converse-tongue.ts';
import { geminiTongue } from './gemini-tongue.ts';
import { messagesTongue } from './messages-tongue.ts';
import { responsesTongue } from './responses-tongue.ts';
import type { Tongue } from './tongue.ts';

/** The clients of a conversation. */
export const tongues: readonly Tongue[] = [
  messagesTongue,
  chatTongue(true),
  chatTongue(false),
  responsesTongue,
  geminiTongue,
  converseTongue,
];
