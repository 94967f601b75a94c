import type { JsonObject } from '../../../../schema/json/json.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { DialectMembers } from '../../../sdk/dialect/members.ts';
import type { TextReading, TextSpan } from '../../../sdk/dialect/text-span.ts';
import { bodyTexts } from './request-texts.ts';

/**
 * The texts of requests for vectors, and of their answers. A request without any of the members with its texts is not of the
 * format: then it is judged by what else it says, if it says anything.
 */
export const embeddedTexts =
  (members: DialectMembers, inputs: readonly string[]) =>
  (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined => {
    const spans = bodyTexts(phase === 'input' ? members.request : members.answer, body, how);
    const isOther = phase === 'input' && spans?.length === 0 && inputs.every((name) => body[name] === undefined);
    return isOther ? undefined : spans;
  };
