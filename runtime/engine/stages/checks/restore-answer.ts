import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { withMembers } from '../../../body/edit/with-members.ts';
import { jsonObjectOf } from '../../../body/read/json-object-of.ts';
import type { Restorer } from '../../verdicts/restorer.ts';

/** An answer in which the placeholders of its request are replaced by what they stand for. */
export const restoreAnswer = (response: GatewayResponse, restorer: Restorer | undefined): GatewayResponse => {
  const { body } = response;
  if (restorer === undefined || body.kind !== 'bytes') return response;
  const answer = jsonObjectOf(body.bytes);
  const restored = answer === undefined ? undefined : restorer.object(answer);
  if (answer === undefined || restored === undefined || restored === answer) return response;
  return { ...response, body: withMembers(body.bytes, answer, restored) };
};
