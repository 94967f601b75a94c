import type { AnswerEvent } from '../../../schema/conversation/answer.ts';

/** An event that a stage holds, and what is left of it to be judged. */
export interface HeldEvent {
  readonly event: AnswerEvent;
  /** The rest of its text; once it is empty, the event may go on. */
  pending: string;
  /** The text that goes on in place of its own. */
  given: string;
  /** Whether it waits for something other than its text. */
  waits: boolean;
  /** Its frame says what later events report: it may go on together with these, as far as one that ends the waiting. */
  isAwaiting: boolean;
  endsWaiting: boolean;
  isChanged: boolean;
  /** The events that go on in its place, if that is not the event with another text. */
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
      // A signature proves the text that it was given for, and no other.
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

/** Returns the events that go on in place of one. */
export const givenEvents = ({ event, given, isChanged, instead }: HeldEvent): readonly AnswerEvent[] => {
  if (instead !== undefined) return instead;
  if (!isChanged) return [event];
  return given === '' ? [] : [withText(event, given)];
};
