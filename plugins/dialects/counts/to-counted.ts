import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { defined } from '../wire/json/defined.ts';

/**
 * Selects what the count of a conversation depends on. How it is to be answered is left out, and is no loss where a format
 * cannot say it.
 */
export const toCounted = ({
  model,
  system,
  turns,
  tools,
  toolChoice,
  answerFormat,
  reasoning,
  extensions,
}: Conversation): Conversation =>
  defined({
    ...{ model, system, turns, tools, toolChoice, answerFormat, reasoning, extensions },
    sampling: {},
    stream: false,
  });
