import type { Frame } from '../../plugins/sdk/dialect.ts';
import type { AnswerEvent } from '../../schema/conversation.ts';

/** One event of a stream on its way through the stages, or a frame that is no event. */
export interface StreamItem {
  readonly event?: AnswerEvent;
  /** The frame as received, at the last of its events: it may go to the client when all of them may. */
  readonly frame?: Frame;
  /** Whether its frame has content. */
  readonly opens: boolean;
  /** What it counts for among what is held, in characters. */
  readonly size: number;
  /** A stage made it: the frame of what it stands for says something else. */
  readonly made?: true;
}

export interface ReceivedFrame {
  readonly frame: Frame;
  /** Absent if the client is not given it, whatever the stages do. */
  readonly given: Frame | undefined;
  readonly opens: boolean;
  /** It says something that its events do not. */
  readonly isStray: boolean;
}

/** The events of a frame, of which the last one has the frame with it. */
export const itemsOf = (
  events: readonly AnswerEvent[],
  { frame, given, opens, isStray }: ReceivedFrame,
): readonly StreamItem[] => {
  const size = frame.data.length;
  if (isStray) {
    const made = events.map((event): StreamItem => ({ event, opens, size: 0, made: true }));
    return [{ opens, size, made: true }, ...made];
  }
  const carried = given === undefined ? {} : { frame: given };
  if (events.length === 0) return given === undefined ? [] : [{ ...carried, opens, size }];
  return events.map((event, at) =>
    at === events.length - 1 ? { event, ...carried, opens, size } : { event, opens, size: 0 },
  );
};
