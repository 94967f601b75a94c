import type { Dialect } from '../../../sdk/dialect/dialect.ts';
import type { DialectMembers } from '../../../sdk/dialect/members.ts';
import { bodyTexts } from './request-texts.ts';

/**
 * Reads the texts of requests and answers that are read as a whole, by the tables of their members. If there are `inputs`, a
 * request without any of these members is not in the format: it is then judged by any other texts that it contains.
 */
export const memberTexts =
  (members: DialectMembers, inputs: readonly string[] = []): NonNullable<Dialect['texts']> =>
  (body, phase, how) => {
    if (phase === 'output') return bodyTexts(members.answer, body, how);
    const spans = bodyTexts(members.request, body, how);
    const isOther = inputs.length > 0 && spans?.length === 0 && inputs.every((name) => body[name] === undefined);
    return isOther ? undefined : spans;
  };
