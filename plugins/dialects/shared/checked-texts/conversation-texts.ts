import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import type { Dialect } from '../../../sdk/dialect/dialect.ts';
import type { Member } from '../../../sdk/dialect/members.ts';
import type { SpanPlace } from '../../../sdk/dialect/text-span.ts';
import { frameTexts } from './frame-texts.ts';
import { object } from './members.ts';
import { bodyTexts, type RequestFormat, requestTexts } from './request-texts.ts';

/** Describes how the bodies and frames of a dialect with conversations are read. */
export interface ConversationFormat extends RequestFormat {
  readonly answer: Member;
  readonly frame: Member;
  /** Whether a body is an answer of the dialect. The texts of any other body cannot be read. */
  isAnswer(body: JsonObject): boolean;
  /** Whether the table of answers assigns texts to choices. Absent: texts without a choice belong to choice 0. */
  readonly hasChoices?: true;
  /** Whether the framing names the event beside the data. If so, `frame` is the table of an object whose member has this name. */
  readonly namesFrames?: true;
}

/** The members of a dialect with which checks read its bodies and frames. */
export type ConversationTexts = Required<Pick<Dialect, 'members' | 'texts' | 'earlierTexts' | 'frameTexts'>>;

const onlyChoice: SpanPlace = { at: rootPointer, kind: 'text', choice: 0 };

/** Creates, from a dialect's tables, the functions with which checks read the texts of its conversations. */
export const conversationTexts = (format: ConversationFormat): ConversationTexts => {
  const { answer, frame } = format;
  const request = requestTexts(format);
  const place = format.hasChoices === true ? undefined : onlyChoice;
  return {
    members: { request: object(format.members), answer, frame },
    texts: (body, phase, how) => {
      if (phase === 'input') return request.judged(body, how);
      return format.isAnswer(body) ? bodyTexts(answer, body, how, place) : undefined;
    },
    earlierTexts: request.earlier,
    frameTexts: frameTexts(frame, { named: format.namesFrames === true }),
  };
};
