import { schemaCheck } from '../sdk/parameters/schema-check.ts';
import type { AnyRouteRow, JsonReply } from '../sdk/route-row.ts';

/**
 * What is wrong with the answer of a route, a sentence each: a status that it does not declare, a body that does not fit
 * the schema of that status. The gateway does not check answers, so a plugin's tests should.
 */
export const checkReply = (
  { replies, operationId }: Pick<AnyRouteRow, 'replies' | 'operationId'>,
  { status, body }: Pick<JsonReply, 'status' | 'body'>,
): readonly string[] => {
  const reply = replies[status] ?? replies.default;
  if (reply === undefined) return [`${operationId} declares no reply with the status ${status}.`];
  if (reply === 'bytes' || reply === 'events') return [];
  const verdict = schemaCheck(reply, body, {
    member: 'member',
    whole: 'The body',
    otherwise: `See the replies of ${operationId}.`,
  });
  return verdict.kind === 'fits' ? [] : verdict.faults.map(({ message }) => message);
};
