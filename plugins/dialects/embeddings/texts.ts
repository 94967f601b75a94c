import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { TextReading, TextSpan } from '../../sdk/dialect/text-span.ts';
import { bodyTexts } from '../wire/checked-texts/request-texts.ts';
import { members } from './members.ts';

/** A request without an input is not of this format: then it is judged by what else it says, if it says anything. */
export const texts = (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined => {
  const spans = bodyTexts(phase === 'input' ? members.request : members.answer, body, how);
  return phase === 'input' && spans?.length === 0 && body.input === undefined ? undefined : spans;
};
