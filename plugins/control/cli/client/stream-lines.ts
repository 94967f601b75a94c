import { failed } from '../command-line/command-failure.ts';
import { type ApiRequest, askGateway } from './ask-gateway.ts';
import type { ControlPlane } from './control-plane.ts';

/** Records may be looked for among many before the next one comes. */
const silentMs = 60_000;

const readLines = async (answer: Response, write: (text: string) => void): Promise<void> => {
  if (answer.headers.get('content-type')?.includes('application/x-ndjson') !== true)
    throw failed(
      'The gateway answered with something else than lines of JSON.',
      'Use a gw of the same version as the gateway.',
    );
  const decoder = new TextDecoder();
  let last = '\n';
  for await (const part of answer.body ?? []) {
    const text = decoder.decode(part, { stream: true });
    last = text.at(-1) ?? last;
    write(text);
  }
  if (last !== '\n') throw failed('The gateway broke off in the middle of a line.', 'Run the command again.');
};

/** Writes lines of JSON as they come. Rejects as `askGateway` does. */
export const streamLines = (
  { access }: ControlPlane,
  request: ApiRequest,
  write: (text: string) => void,
): Promise<void> => askGateway(access, { request, silentMs, read: (answer) => readLines(answer, write) });
