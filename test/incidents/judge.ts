import type { Diagnosis, SeenAnswer } from './incident.ts';

type Members = Readonly<Record<string, unknown>>;

const readMembers = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const parsed = (text: string): Members => {
  try {
    return readMembers(JSON.parse(text));
  } catch {
    return {};
  }
};

const findText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The error that is the whole answer, or that ended its stream. */
const toError = ({ body }: SeenAnswer): Members => {
  const frames = body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [parsed(line.slice(6))] : []));
  return readMembers((frames.findLast((frame) => 'error' in frame) ?? parsed(body)).error);
};

const firstHint = (error: Members): string =>
  (Array.isArray(error.diagnostics) ? error.diagnostics : [])
    .map((each) => findText(readMembers(each).hint) ?? '')
    .join(' ');

/** The form of a problem in a line of `gw logs`: `CAUSE (ABOUT) at TARGET (PATH), attempt 1: HINT`. */
const problemForm =
  / (?<cause>[a-z][a-z\d-]+)(?: \(.+?\))?(?: at (?:(?<target>.+?) )?\(?(?<path>config[^\s,:)]*)\)?)?(?:, attempt (?<attempt>\d+))?(?:: (?<hint>.+))?$/;

/** Finds the problem in a line, where it follows the request id. */
const findProblem = (line: string): Readonly<Record<string, string | undefined>> => {
  const [, behind = ''] = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12} ( .*)$/.exec(line) ?? [];
  return problemForm.exec(behind)?.groups ?? {};
};

/**
 * Diagnoses a request only from its answer and its line in `gw logs`. It does not know the incidents, the configs or the
 * gateway's codes. A request whose caller is unknown has no line.
 */
export const judge = (answer: SeenAnswer, line: string | undefined): Diagnosis => {
  const problem = findProblem(line ?? '');
  const error = toError(answer);
  const cause = line === undefined && answer.status === 401 ? findText(error.code) : problem.cause;
  const isGateways = cause !== undefined && cause === findText(error.code);
  const named = /target "([^"]+)" \((config[^)]*)\)/.exec(findText(error.message) ?? '');
  const said = isGateways ? `${findText(error.message) ?? ''} ${firstHint(error)}` : '';
  return {
    target: problem.target ?? named?.[1] ?? '-',
    path: problem.path ?? answer.headers.get('x-gw-last-used-option-index') ?? named?.[2] ?? '-',
    attempt: problem.attempt === undefined ? '-' : Number(problem.attempt),
    cause: cause ?? '-',
    remedy: `${said} ${problem.hint ?? ''}`.trim(),
  };
};
