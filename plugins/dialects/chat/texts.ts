import type { JsonObject } from '../../../schema/json.ts';
import { itemsOf } from '../../../schema/loose.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { Dialect, TextReading, TextSpan } from '../../sdk/dialect.ts';
import { frameTexts as readFrames } from '../wire/frame-texts.ts';
import { speakerByRole } from '../wire/judged-from.ts';
import { bodyTexts, requestTexts } from '../wire/request-texts.ts';
import { members, requestMembers } from './members.ts';
import { turn } from './message-members.ts';

const requests = requestTexts({
  members: requestMembers,
  turns: 'messages',
  turn,
  speakerOf: speakerByRole('assistant'),
});

export const earlierTexts: NonNullable<Dialect['earlierTexts']> = requests.earlier;

export const texts = (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined => {
  if (phase === 'input') return requests.judged(body, how);
  return itemsOf(body.choices) === undefined ? undefined : bodyTexts(members.answer, body, how);
};

export const frameTexts: NonNullable<Dialect['frameTexts']> = readFrames(members.frame ?? members.answer);
