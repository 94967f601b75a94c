import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { defined } from '../wire/json/defined.ts';

/** What of a conversation its count depends on. How it is to be answered is left out, and so is no loss where a format lacks it. */
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
