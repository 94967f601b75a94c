import { createRequestReader } from '../../support/servers/upstream-request.ts';
import { type ReceivedRequest, startUpstream } from '../../support/servers/upstream-server.ts';
import type { Answer } from '../scenario.ts';
import { scenarios } from '../scenarios.ts';
import type { UpstreamDriver } from './upstream-driver.ts';

/** Creates a received request: a POST with a JSON body. */
export const received = (
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ReceivedRequest => {
  const requests: ReceivedRequest[] = [];
  const text = JSON.stringify(body);
  const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `POST ${path} HTTP/1.1\r\n${lines.join('')}content-length: ${Buffer.byteLength(text)}\r\n\r\n`;
  createRequestReader((request) => requests.push(request))(Buffer.from(head + text));
  const [request] = requests;
  if (request === undefined) throw new Error('The request is not whole.');
  return request;
};

const toAnswer = (id: string): Answer => {
  const scenario = scenarios.find((each) => each.id === id);
  if (scenario === undefined) throw new Error(`There is no scenario "${id}".`);
  return scenario.answer;
};

/** Starts a server that parses each request and answers all of them with the answer of one scenario. */
export const startDriver = async (
  { hear, answer }: UpstreamDriver,
  scenario: string,
): Promise<{ readonly origin: string } & AsyncDisposable> => {
  const upstream = await startUpstream((call) => answer(call, toAnswer(scenario), hear(call.request).stream));
  return { origin: upstream.origin, [Symbol.asyncDispose]: () => upstream.close() };
};
