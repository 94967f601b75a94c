import type { AnswerEvent } from '../../../schema/conversation/answer.ts';

/** An event that a stage holds, and what remains to be judged of it. */
export interface HeldEvent {
  readonly event: AnswerEvent;
  /** The rest of its text. Once it is empty, the event may be released. */
  pending: string;
  /** The text to release in place of its own. */
  given: string;
  /** Whether it waits for something besides its text. */
  waits: boolean;
  /**
   * Whether its frame contains what later events report. It may be released together with these events, up to the one that ends
   * the waiting.
   */
  isAwaiting: boolean;
  endsWaiting: boolean;
  isChanged: boolean;
  /** The events to release in its place, unless that is the event itself with another text. */
  instead?: readonly AnswerEvent[];
}

export const heldEvent = (event: AnswerEvent, text = ''): HeldEvent => ({
  event,
  pending: text,
  given: '',
  waits: false,
  isAwaiting: false,
  endsWaiting: false,
  isChanged: false,
});

export const isReady = ({ pending, waits }: HeldEvent): boolean => pending === '' && !waits;

const withText = (event: AnswerEvent, text: string): AnswerEvent => {
  switch (event.kind) {
    case 'text':
    case 'refusal':
    case 'tool-arguments':
      return { ...event, text };
    case 'reasoning': {
      // A signature proves only the text that it was created for.
      const { bound, ...rest } = event;
      const kept = bound === undefined || bound.kind === 'signature' ? rest : event;
      return event.summary === undefined
        ? { ...kept, text }
        : { ...kept, summary: { index: event.summary.index, text } };
    }
    default:
      return event;
  }
};

/** Returns the events to release in place of one. */
export const releasedEvents = ({ event, given, isChanged, instead }: HeldEvent): readonly AnswerEvent[] => {
  if (instead !== undefined) return instead;
  if (!isChanged) return [event];
  return given === '' ? [] : [withText(event, given)];
};
