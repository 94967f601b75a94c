import { expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { plainInput } from '../../../../plugins/host/isolation/protocol/plain-input.ts';
import { neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';
import { ReadRequest } from '../../../../runtime/engine/guardrail-checks/read-request.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';

const json = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Who?' },
  ],
};

/** The request of a check's input as the process of a plugin receives it. */
const sentRequest = (phase: CheckPhase): unknown => {
  const request = new ReadRequest({ json, headers: [], dialect: 'chat', operation: 'converse' }, chat);
  const input = plainInput({
    ...{ phase, text: 'Me.', spans: [], metadata: {}, tenant: toTenant('tenant'), request },
    target: { provider: 'openai' },
    cancellation: neverCancelled,
  });
  return JSON.parse(JSON.stringify(input)).request;
};

it('sends the texts of the request to output checks, but not again to input checks, which already have them', () => {
  const members = { json, headers: [], dialect: 'chat', operation: 'converse' };
  expect(sentRequest('output')).toEqual({ ...members, text: 'Who?', earlierText: 'Be brief.' });
  expect(sentRequest('input')).toEqual(members);
});
