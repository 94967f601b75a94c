import type { HeldEvent } from './held-event.ts';
import type { RunningTexts } from './running-texts.ts';

/** Whether an event refers to positions or tokens in a text that are wrong since the text was changed. */
export const refersToChangedText = ({ event }: HeldEvent, texts: RunningTexts): boolean =>
  (event.kind === 'citation' || event.kind === 'logprobs') && texts.isChanged(event.choice, event.block);
