import type { Answer, Ask, Call, Counts, Heard, Received, Scenario } from '../scenario.ts';
import type { ClientDriver } from './client-driver.ts';
import { toResults } from './to-results.ts';

/** A scenario as a provider receives it, up to its last step. */
export interface LastStep {
  readonly ask: Ask;
  readonly stream: boolean;
  /** The model's earlier calls, and the results of the tools. */
  readonly calls: readonly Call[];
  readonly results: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  /** The proofs of its earlier reasoning. */
  readonly proofs: readonly string[];
  /** The provider's answer. */
  readonly answer: Answer;
}

/** Returns the last step of a scenario for a provider that proves its reasoning or does not. */
export const lastStep = ({ ask, answer, next }: Scenario, stream: boolean, proves: boolean): LastStep => {
  const calls = (answer.kind === 'answer' ? answer.calls : undefined) ?? [];
  const earlier = { calls: ask.earlier?.calls ?? [], results: ask.earlier?.results ?? [] };
  if (next === undefined) return { ask, stream, ...earlier, proofs: [], answer };
  const signature = answer.kind === 'answer' && proves ? answer.signature : undefined;
  return {
    ask,
    stream,
    calls: [...earlier.calls, ...calls],
    results: [...earlier.results, ...toResults(calls, next)],
    proofs: signature === undefined ? [] : [signature],
    answer: next.answer,
  };
};

/** What a provider receives if nothing is lost. */
export const expectedHeard = (step: LastStep, { result }: ClientDriver): Omit<Heard, 'model'> => {
  const { ask, stream, calls, proofs } = step;
  return {
    stream,
    system: ask.system === undefined ? [] : [ask.system],
    user: [ask.user],
    images: ask.image === undefined ? [] : [ask.image.base64],
    documents: ask.document === undefined ? [] : [ask.document.base64],
    tools: (ask.tools ?? []).map(({ name, schema }) => ({ name, schema })),
    calls,
    results: step.results.map(({ id, name, text }) => ({ id, text: result?.(name, text) ?? text })),
    proofs,
    ...(ask.schema && { schema: ask.schema.schema }),
    reasoning: ask.reasoning ?? false,
    maxTokens: ask.maxTokens,
  };
};

const nothing = { text: '', reasoning: '', calls: [], refusal: '', finish: '' };

type Success = Extract<Answer, { readonly kind: 'answer' }>;

/** A refusal is either a separate text or a way in which the answer ends. */
const expectedText = ({ text = '', finish }: Success, received: Received, { finishes, hides }: ClientDriver) => {
  const isApart =
    finish === 'refusal' && (received.refusal !== '' || (hides?.refusal !== undefined && received.text === ''));
  const words = isApart || (finish === 'refusal' && hides?.refusal !== undefined) ? finishes.stop : [];
  const all = [...finishes[finish], ...words];
  return {
    text: isApart ? '' : text,
    refusal: isApart && hides?.refusal === undefined ? text : '',
    finish: all.includes(received.finish) ? received.finish : (all[0] ?? ''),
  };
};

const shownCounts = ({ cached = 0, reasoning = 0, ...counts }: Counts, { hides }: ClientDriver): Counts => ({
  ...counts,
  ...(cached > 0 && hides?.cached === undefined && { cached }),
  ...(reasoning > 0 && hides?.['reasoning tokens'] === undefined && { reasoning }),
});

/** The provider's answers to the requests of a scenario, in order. */
export const toScript = ({ refused, answer, next }: Scenario): readonly Answer[] => [
  ...(refused === undefined ? [] : [refused]),
  answer,
  ...(next === undefined ? [] : [next.answer]),
];

/** The retry delays that a client receives if nothing is lost. */
export const expectedWaits = (scenario: Scenario, sendsRetryAfter: boolean): readonly string[] =>
  toScript(scenario).flatMap((answer) => {
    if (answer.kind !== 'error') return [];
    return sendsRetryAfter && answer.waitS !== undefined ? [String(answer.waitS)] : [''];
  });

/** What a client receives of an answer if nothing is lost. */
export const expectedReceived = (
  answer: Answer,
  received: Received,
  driver: ClientDriver,
): Omit<Received, 'dropped' | 'waits'> => {
  if (answer.kind === 'error') {
    const { status, message } = answer;
    const reported = received.error?.message ?? '';
    return { ...nothing, error: { status, message: reported.includes(message) ? reported : message } };
  }
  const { reasoning = '', calls = [], usage } = answer;
  return {
    ...expectedText(answer, received, driver),
    reasoning: driver.hides?.reasoning === undefined ? reasoning : '',
    calls,
    usage: shownCounts(usage, driver),
  };
};

/** The answer of a provider whose format does not have refusals. */
export const withoutRefusal = (answer: Answer): Answer =>
  answer.kind === 'answer' && answer.finish === 'refusal' ? { ...answer, finish: 'stop' } : answer;

/** The answer of a provider that reports only some kinds of token counts. */
export const withCounts = (answer: Answer, counts: readonly ('cached' | 'reasoning')[]): Answer => {
  if (answer.kind === 'error') return answer;
  const { input, output, cached, reasoning } = answer.usage;
  const usage = {
    input,
    output,
    ...(cached !== undefined && counts.includes('cached') && { cached }),
    ...(reasoning !== undefined && counts.includes('reasoning') && { reasoning }),
  };
  return { ...answer, usage };
};
