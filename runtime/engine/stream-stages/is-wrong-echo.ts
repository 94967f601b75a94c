import type { HeldEvent } from './held-event.ts';
import type { RunningTexts } from './running-texts.ts';

/** Whether an event says something of a text, its places or its tokens, that is wrong since the text was changed. */
export const isWrongEcho = ({ event }: HeldEvent, texts: RunningTexts): boolean =>
  (event.kind === 'citation' || event.kind === 'logprobs') && texts.isChanged(event.choice, event.block);
