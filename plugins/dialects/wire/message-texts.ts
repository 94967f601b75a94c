import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf } from '../../../schema/loose.ts';
import type { TextReading, TextSpan } from '../../sdk/text-span.ts';
import { judgedFrom, speakerByRole } from './judged-from.ts';
import { readable } from './readable.ts';

/** Where a format has its messages. */
export interface MessageFormat {
  /** The member of the body. */
  readonly member: string;
  /** The role of the model. */
  readonly model: string;
  /** The texts of some messages; the first is the one with the index `from`. */
  spansFrom(messages: readonly Json[], from: number): readonly TextSpan[];
}

/** The texts of a request's messages. */
export interface MessageTexts {
  /** Those that checks judge, with more that is judged beside them; undefined if they cannot be read. */
  judged(body: JsonObject, more?: readonly TextSpan[], how?: TextReading): readonly TextSpan[] | undefined;
  /** Those of the messages before. */
  earlier(body: JsonObject, how?: TextReading): readonly TextSpan[];
}

/** Divides the messages of a request into those that are judged, and those that were judged with an earlier request. */
export const messageTexts = ({ member, model, spansFrom }: MessageFormat): MessageTexts => {
  const firstJudged = (messages: readonly Json[], how?: TextReading): number =>
    judgedFrom(messages, speakerByRole(model), how?.turns);
  return {
    judged(body, more = [], how) {
      const messages = itemsOf(body[member]);
      if (messages === undefined) return undefined;
      const from = firstJudged(messages, how);
      const judged = messages.slice(from);
      return readable([...spansFrom(judged, from), ...more], judged);
    },
    earlier(body, how) {
      const messages = itemsOf(body[member]) ?? [];
      return spansFrom(messages.slice(0, firstJudged(messages, how)), 0);
    },
  };
};
