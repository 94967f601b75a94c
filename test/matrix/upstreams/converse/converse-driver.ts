import type { UpstreamDriver } from '../upstream-driver.ts';
import { answerInChunks } from '../wire/chunked-body.ts';
import { type ConverseEvent, converseAnswer, converseEvents } from './answer-converse.ts';
import { eventMessage } from './event-message.ts';
import { hearConverse } from './hear-converse.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors */
const errorTypes: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
};

/** Each event contains padding of varying length, so that its size reveals nothing about its text. */
const message = ({ name, payload }: ConverseEvent, at: number): Buffer =>
  eventMessage(
    { ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify({ ...payload, p: 'abcdefghijklmnopqrstuvwxyz'.slice(0, 1 + ((at * 7) % 26)) }),
  );

/** Converse and ConverseStream of Amazon Bedrock. */
export const converseDriver: UpstreamDriver = {
  dialect: 'converse',
  hear: hearConverse,
  proves: (request) => hearConverse(request).reasoning,
  sendsRetryAfter: () => false,
  counts: ['cached'],
  answer(call, answer, stream) {
    const headers = { 'x-amzn-requestid': '0c1d3a4e-5b6f-4a7b-8c9d-0e1f2a3b4c5d' };
    if (answer.kind === 'error') {
      const { status, message: text } = answer;
      const type = errorTypes[status] ?? 'InternalServerException';
      call.json({ message: text }, { status, headers: { ...headers, 'x-amzn-errortype': type } });
      return;
    }
    const { reasoning } = hearConverse(call.request);
    if (!stream) {
      call.json(converseAnswer(answer, reasoning), { headers });
      return;
    }
    const body = Buffer.concat(converseEvents(answer, reasoning).map(message));
    answerInChunks(call, body, { type: 'application/vnd.amazon.eventstream', headers, size: 97 });
  },
};
