import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import { itemsOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { Dialect } from '../../sdk/dialect.ts';
import type { DialectMembers } from '../../sdk/members.ts';
import type { TextReading, TextSpan } from '../../sdk/text-span.ts';
import { bodyTexts, requestTexts } from '../wire/request-texts.ts';
import { frame } from './frame-members.ts';
import { item } from './item-members.ts';
import { speakerOf } from './item-types.ts';
import { answer, requestMembers } from './members.ts';

export const members: DialectMembers = { request: { is: 'object', members: requestMembers }, answer, frame };

const requests = requestTexts({
  members: requestMembers,
  turns: 'input',
  turn: item,
  speakerOf,
  // A prompt that the provider keeps may be all that a request has.
  mayLackTurns: ({ prompt }) => isJsonObject(prompt),
});

export const earlierTexts: NonNullable<Dialect['earlierTexts']> = requests.earlier;

export const texts = (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined => {
  if (phase === 'input') return requests.judged(body, how);
  if (itemsOf(body.output) === undefined) return undefined;
  return bodyTexts(answer, body, { ...how, place: { at: rootPointer, kind: 'text', choice: 0 } });
};
