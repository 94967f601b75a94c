import type { UpstreamDriver } from '../upstream-driver.ts';
import { cohereAnswer, cohereEvents } from './answer-cohere.ts';
import { hearCohere } from './hear-cohere.ts';

/** Cohere's Chat API, version 2: https://docs.cohere.com/reference/chat */
export const cohereDriver: UpstreamDriver = {
  dialect: 'cohere',
  hear: hearCohere,
  proves: () => false,
  sendsRetryAfter: () => false,
  counts: ['cached'],
  answer(call, answer, stream) {
    if (answer.kind === 'error') {
      const body = { id: '8f2f1c2e-7f9e-4a3b-9d64-2c5b8a1e0d77', message: answer.message };
      call.json(body, { status: answer.status });
      return;
    }
    if (!stream) {
      call.json(cohereAnswer(answer));
      return;
    }
    const sse = call.sse();
    for (const event of cohereEvents(answer)) sse.frame(event, event.type);
    sse.done();
  },
};
