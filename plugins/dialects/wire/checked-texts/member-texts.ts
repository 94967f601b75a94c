import type { Dialect } from '../../../sdk/dialect/dialect.ts';
import type { DialectMembers } from '../../../sdk/dialect/members.ts';
import { bodyTexts } from './request-texts.ts';

/**
 * The texts of requests and answers that are read whole, by the tables of their members. A request without any of the members
 * `inputs`, if there are some, is not of the format: then it is judged by what else it says, if it says anything.
 */
export const memberTexts =
  (members: DialectMembers, inputs: readonly string[] = []): NonNullable<Dialect['texts']> =>
  (body, phase, how) => {
    if (phase === 'output') return bodyTexts(members.answer, body, how);
    const spans = bodyTexts(members.request, body, how);
    const isOther = inputs.length > 0 && spans?.length === 0 && inputs.every((name) => body[name] === undefined);
    return isOther ? undefined : spans;
  };
