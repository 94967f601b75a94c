import type { Finding } from './lane.ts';

const most = 3000;

const shown = (bytes: Buffer | undefined): string => {
  const text = JSON.stringify((bytes ?? Buffer.alloc(0)).toString('utf8', 0, most));
  return bytes !== undefined && bytes.length > most ? `${text} and ${bytes.length - most} bytes more` : text;
};

const lines = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `    ${name}: ${String(value)}\n`)
    .join('');

/** Two findings with the same signature are reported once. */
export const toSignature = ({ asked: { operation, kind }, answer, errors }: Finding): string =>
  [kind, operation.operationId, answer?.status, errors.map((each) => each.replace(/\d+/g, '#')).join()].join(' ');

/** Returns the lines that a gateway printed about an answer: those with its trace id. */
const toPrinted = ({ answer }: Finding, printed: string): string => {
  const trace = answer?.headers['x-gw-trace-id'];
  const said = printed.split('\n').filter((line) => typeof trace === 'string' && line.includes(trace));
  return said.map((line) => `  printed ${line.slice(0, most)}\n`).join('');
};

/** Formats everything that is needed to repeat a request, its answer, and what the gateway printed about it. */
export const toReport = (finding: Finding, lane: number, printed: string): string => {
  const { number, asked, answer, errors } = finding;
  const { request, operation, kind } = asked;
  return `${errors.join('; ')}
  ${operation.operationId} (${kind}), request ${number} of sequence ${lane}
  ${request.method} ${request.target}
${lines(request.headers)}    ${shown(request.body)}
  answer ${answer?.status ?? 'none'}
${lines(answer?.headers ?? {})}    ${shown(answer?.body)}
${toPrinted(finding, printed)}`;
};
