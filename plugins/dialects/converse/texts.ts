import type { JsonObject } from '../../../schema/json.ts';
import { objectOf } from '../../../schema/loose.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { Dialect, TextReading, TextSpan } from '../../sdk/dialect.ts';
import type { DialectMembers } from '../../sdk/members.ts';
import { frameTexts as readFrames } from '../wire/frame-texts.ts';
import { speakerByRole } from '../wire/judged-from.ts';
import { object } from '../wire/members.ts';
import { oneAnswerTexts } from '../wire/one-answer-texts.ts';
import { requestTexts } from '../wire/request-texts.ts';
import { answer } from './members/answer.ts';
import { anyMessage } from './members/blocks.ts';
import { frame } from './members/frame.ts';
import { requestMembers } from './members/request.ts';

export const members: DialectMembers = { request: object(requestMembers), answer, frame };

const request = requestTexts({
  members: requestMembers,
  turns: 'messages',
  turn: anyMessage,
  speakerOf: speakerByRole('assistant'),
});

export const earlierTexts = (body: JsonObject, how?: TextReading): readonly TextSpan[] => request.earlier(body, how);

export const frameTexts: NonNullable<Dialect['frameTexts']> = readFrames(frame, { named: true });

const isAnswer = ({ output }: JsonObject): boolean => objectOf(output) !== undefined;

export const texts = (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined => {
  if (phase === 'input') return request.judged(body, how);
  return isAnswer(body) ? oneAnswerTexts(answer, body, how) : undefined;
};
