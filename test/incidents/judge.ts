import type { Diagnosis, SeenAnswer } from './incident.ts';

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const parsed = (text: string): Members => {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return {};
  }
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The error that an answer is, or that its stream ended with. */
const errorOf = ({ body }: SeenAnswer): Members => {
  const frames = body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [parsed(line.slice(6))] : []));
  return membersOf((frames.findLast((frame) => 'error' in frame) ?? parsed(body)).error);
};

const firstHint = (error: Members): string =>
  (Array.isArray(error.diagnostics) ? error.diagnostics : [])
    .map((each) => textOf(membersOf(each).hint) ?? '')
    .join(' ');

/**
 * Says what is wrong from an answer and its line in the log, and from nothing else: it knows no incident, no config and no
 * code of the gateway.
 */
export const judge = (answer: SeenAnswer, line: string): Diagnosis => {
  const problem = membersOf(parsed(line).problem);
  const error = errorOf(answer);
  const isGateways = textOf(problem.cause) === textOf(error.code);
  const named = /target "([^"]+)" \((config[^)]*)\)/.exec(textOf(error.message) ?? '');
  const said = isGateways ? `${textOf(error.message) ?? ''} ${firstHint(error)}` : '';
  return {
    target: textOf(problem.target) ?? named?.[1] ?? '-',
    path: textOf(problem.path) ?? answer.headers.get('x-gw-last-used-option-index') ?? named?.[2] ?? '-',
    attempt: numberOf(problem.attempt) ?? '-',
    cause: textOf(problem.cause) ?? '-',
    remedy: `${said} ${textOf(problem.hint) ?? ''}`.trim(),
  };
};
