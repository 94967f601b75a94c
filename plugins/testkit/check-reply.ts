import type { ParameterSchema } from '../sdk/parameters/from-schema.ts';
import { schemaCheck } from '../sdk/parameters/schema-check.ts';
import type { AnyRouteRow, JsonReply, RouteReplyForm } from '../sdk/route/route-row.ts';

const isSchema = (form: RouteReplyForm): form is ParameterSchema => typeof form === 'object';

/**
 * Returns the errors in a route's reply, one sentence each: a status that the route does not declare, or a body that does not
 * match the schema of that status. The gateway does not validate replies, so a plugin's tests should.
 */
export const checkReply = (
  { replies, operationId }: Pick<AnyRouteRow, 'replies' | 'operationId'>,
  { status, body }: Pick<JsonReply, 'status' | 'body'>,
): readonly string[] => {
  const reply = replies[status] ?? replies.default;
  if (reply === undefined) return [`${operationId} declares no reply with the status ${status}.`];
  const forms: readonly RouteReplyForm[] = [reply].flat();
  const schemas = forms.filter(isSchema);
  const isOther = body === undefined && schemas.length < forms.length;
  if (isOther || schemas.length === 0) return [];
  const words = { member: 'member', whole: 'The body', otherwise: `See the replies of ${operationId}.` };
  const verdicts = schemas.map((schema) => schemaCheck(schema, body, words));
  const errors = verdicts.map((verdict) => (verdict.kind === 'fits' ? [] : verdict.errors));
  return errors.some((each) => each.length === 0) ? [] : errors.flat().map(({ message }) => message);
};
