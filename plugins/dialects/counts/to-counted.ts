import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { defined } from '../shared/json/defined.ts';

/**
 * Selects what the count of a conversation depends on. Settings for the answer are omitted, so a format that cannot express them
 * does not report a loss.
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
