import type { Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../schema/conversation/answer.ts';

/** One event of a stream on its way through the stages, or a frame that is not an event. All of them have all members. */
export interface StreamItem {
  readonly event: AnswerEvent | undefined;
  /** The frame as received, on the last of its events: it may be sent to the client when all of them may. */
  readonly frame: Frame | undefined;
  /** Whether its frame has content. */
  readonly opens: boolean;
  /** The size that counts towards what is held, in characters. */
  readonly size: number;
  /** Whether a stage created it, so that the frame it stands for says something else. */
  readonly made: boolean;
}

export interface ReceivedFrame {
  readonly frame: Frame;
  /** Absent if the client never receives it, whatever the stages do. */
  readonly given: Frame | undefined;
  readonly opens: boolean;
  /** Whether it contains something that its events do not. */
  readonly isStray: boolean;
}

/** Returns an event that is released without a frame of its own. */
export const madeItem = (event: AnswerEvent | undefined, opens: boolean): StreamItem => ({
  event,
  frame: undefined,
  opens,
  size: 0,
  made: true,
});

const saysSomething = ({ kind }: AnswerEvent): boolean => kind !== 'start';

/** Returns the events of a frame. The last one carries the frame. */
export const toItems = (
  events: readonly AnswerEvent[],
  { frame, given, opens, isStray }: ReceivedFrame,
): readonly StreamItem[] => {
  const size = frame.data.length;
  if (isStray) return [{ ...madeItem(undefined, opens), size }, ...events.map((event) => madeItem(event, opens))];
  if (events.length === 0)
    return given === undefined ? [] : [{ event: undefined, frame: given, opens, size, made: false }];
  // If a frame begins the answer and contains something, that is the content.
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
