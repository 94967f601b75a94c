import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems } from '../../../schema/json/loose.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { TextReading, TextSpan } from '../../sdk/dialect/text-span.ts';
import { bodyTexts } from '../shared/checked-texts/request-texts.ts';
import { members } from './members.ts';

/**
 * Returns the texts of a request. A request without a prompt is not in this format. If it contains other texts, it is judged by
 * those.
 */
const requestTexts = (body: JsonObject, how?: TextReading): readonly TextSpan[] | undefined => {
  const spans = bodyTexts(members.request, body, how);
  return spans?.length === 0 && body.prompt === undefined ? undefined : spans;
};

export const texts = (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined => {
  if (phase === 'input') return requestTexts(body, how);
  return findItems(body.choices) === undefined ? undefined : bodyTexts(members.answer, body, how);
};
