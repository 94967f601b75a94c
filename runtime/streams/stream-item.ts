import type { Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../schema/conversation/answer.ts';

/** One event of a stream on its way through the stages, or a frame that is no event. All of them have all members. */
export interface StreamItem {
  readonly event: AnswerEvent | undefined;
  /** The frame as received, at the last of its events: it may go to the client when all of them may. */
  readonly frame: Frame | undefined;
  /** Whether its frame has content. */
  readonly opens: boolean;
  /** The size that counts for what is held, in characters. */
  readonly size: number;
  /** A stage made it: the frame of what it stands for says something else. */
  readonly made: boolean;
}

export interface ReceivedFrame {
  readonly frame: Frame;
  /** Absent if the client is not given it, whatever the stages do. */
  readonly given: Frame | undefined;
  readonly opens: boolean;
  /** It says something that its events do not. */
  readonly isStray: boolean;
}

/** An event that goes on without a frame of its own. */
export const madeItem = (event: AnswerEvent | undefined, opens: boolean): StreamItem => ({
  event,
  frame: undefined,
  opens,
  size: 0,
  made: true,
});

const saysSomething = ({ kind }: AnswerEvent): boolean => kind !== 'start';

/** The events of a frame, of which the last one has the frame with it. */
export const toItems = (
  events: readonly AnswerEvent[],
  { frame, given, opens, isStray }: ReceivedFrame,
): readonly StreamItem[] => {
  const size = frame.data.length;
  if (isStray) return [{ ...madeItem(undefined, opens), size }, ...events.map((event) => madeItem(event, opens))];
  if (events.length === 0)
    return given === undefined ? [] : [{ event: undefined, frame: given, opens, size, made: false }];
  // Where a frame begins the answer and says something, what it says is the content.
  const saysMore = events.some(saysSomething);
  const items: StreamItem[] = [];
  for (const event of events) {
    const isLast = items.length === events.length - 1;
    items.push({
      event,
      frame: isLast ? given : undefined,
      opens: opens && !(saysMore && !saysSomething(event)),
      size: isLast ? size : 0,
      made: false,
    });
  }
  return items;
};
