import { failed } from '../command-failure.ts';
import { type ApiRequest, askApi } from './call-api.ts';
import type { GatewayAccess } from './gateway-access.ts';

/** An export may take long. */
const timeoutMs = 3_600_000;

const readLines = async (answer: Response, write: (text: string) => void): Promise<void> => {
  const decoder = new TextDecoder();
  let last = '\n';
  for await (const part of answer.body ?? []) {
    const text = decoder.decode(part, { stream: true });
    last = text.at(-1) ?? last;
    write(text);
  }
  if (last !== '\n') throw failed('The gateway broke off in the middle of a line.', 'Run the command again.');
};

/** Writes lines of JSON as they come. Rejects as `askApi` does. */
export const streamLines = (access: GatewayAccess, request: ApiRequest, write: (text: string) => void): Promise<void> =>
  askApi({ access, request, timeoutMs, read: (answer) => readLines(answer, write) });
