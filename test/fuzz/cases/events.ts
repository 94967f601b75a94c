import type { Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { mutateEvents } from '../mutate/events.ts';
import { expectEnding } from '../support/expect-ending.ts';
import { expectOneEnd } from '../support/expect-one-end.ts';
import { expectPlain } from '../support/expect-plain.ts';
import type { FuzzCase, Speaker, Subject } from '../support/subject.ts';
import { oddOptions } from './answer.ts';

const written = ({ codec }: Speaker, events: readonly AnswerEvent[], { random }: FuzzCase): readonly Frame[] => {
  const encoder = codec.streamEncoder(oddOptions(random));
  const frames = events.flatMap((event) => encoder.push(event));
  const last = [
    ...(random.oneIn(4) ? encoder.fail(errorReport('stream-cut', {})) : []),
    ...encoder.end(),
    ...(random.oneIn(4) ? encoder.push({ kind: 'end' }) : []),
    ...encoder.end(),
  ];
  return [...frames, ...last];
};

/** Tests that any sequence of events can be encoded, and that the stream ends at most once. */
export const eventsCase = ({ dialect, corpus, pool }: Subject, fuzzCase: FuzzCase): void => {
  const { random, note } = fuzzCase;
  const codec = dialect.conversation;
  if (codec === undefined) return;
  const events = mutateEvents(random.pick(corpus.events), random, pool);
  note('events', events);
  const frames = written({ dialect, codec }, events, fuzzCase);
  note('frames', frames);
  expectPlain(frames);
  expectEnding(dialect, frames);
  const decoder = codec.streamDecoder({ scope: 'here' });
  expectOneEnd([...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()]);
};
