import type { AnswerEvent, AnswerEventOf } from '../../../schema/conversation/answer.ts';
import type { HeldEvent } from './held-event.ts';
import type { TextPlace } from './running-text.ts';

/** Words that an event carries as a whole, apart from the texts of its stream. */
export interface QuotedWords {
  readonly text: string;
  readonly place: TextPlace;
  /** Returns the event with other words in their place. */
  replaced(event: AnswerEvent, words: string): AnswerEvent;
}

const none: readonly QuotedWords[] = [];

const citedWords = ({ choice, citation }: AnswerEventOf<'citation'>): readonly QuotedWords[] =>
  (['title', 'quote'] as const).flatMap((member) => {
    const text = citation[member];
    if (text === undefined || text === '') return none;
    const replaced = (event: AnswerEvent, words: string): AnswerEvent =>
      event.kind === 'citation' ? { ...event, citation: { ...event.citation, [member]: words } } : event;
    return [{ text, place: { kind: 'citation', choice }, replaced }];
  });

const lastWords = ({ choice, finish: { details } }: AnswerEventOf<'finish'>): readonly QuotedWords[] => {
  if (details === undefined || details === '') return none;
  const replaced = (event: AnswerEvent, words: string): AnswerEvent =>
    event.kind === 'finish' ? { ...event, finish: { ...event.finish, details: words } } : event;
  return [{ text: details, place: { kind: 'text', choice }, replaced }];
};

/** Lists the words of an event that quote a source, or describe the end of its choice. */
export const quotedWords = (event: AnswerEvent): readonly QuotedWords[] => {
  if (event.kind === 'citation') return citedWords(event);
  return event.kind === 'finish' ? lastWords(event) : none;
};

/** Changes the words of a held event if they differ. */
export const replaceQuotedWords = (held: HeldEvent, { text, replaced }: QuotedWords, words: string): void => {
  if (words === text) return;
  const [event = held.event] = held.instead ?? [];
  held.instead = [replaced(event, words)];
};
