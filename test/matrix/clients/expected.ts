import type { Answer, Ask, Call, Counts, Heard, Scenario, Told } from '../scenario.ts';
import type { ClientDriver } from './client-driver.ts';
import { toResults } from './to-results.ts';

/** A scenario as a provider is asked it, with the last of its steps. */
export interface LastStep {
  readonly ask: Ask;
  readonly stream: boolean;
  /** What the model called in its answers before, and what the tools gave. */
  readonly calls: readonly Call[];
  readonly results: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  /** The proofs of reasoning that it gave. */
  readonly proofs: readonly string[];
  /** What it answers. */
  readonly answer: Answer;
}

/** The last step of a scenario, if the provider proves its reasoning or does not. */
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

/** What a provider has heard of a request, if nothing was lost. */
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

/** A refusal is a text of its own, or a way in which the answer ended. */
const expectedText = ({ text = '', finish }: Success, told: Told, { finishes, hides }: ClientDriver) => {
  const isApart = finish === 'refusal' && (told.refusal !== '' || (hides?.refusal !== undefined && told.text === ''));
  const words = isApart || (finish === 'refusal' && hides?.refusal !== undefined) ? finishes.stop : [];
  const all = [...finishes[finish], ...words];
  return {
    text: isApart ? '' : text,
    refusal: isApart && hides?.refusal === undefined ? text : '',
    finish: all.includes(told.finish) ? told.finish : (all[0] ?? ''),
  };
};

const shownCounts = ({ cached = 0, reasoning = 0, ...counts }: Counts, { hides }: ClientDriver): Counts => ({
  ...counts,
  ...(cached > 0 && hides?.cached === undefined && { cached }),
  ...(reasoning > 0 && hides?.['reasoning tokens'] === undefined && { reasoning }),
});

/** The answers of a provider to the requests of a scenario, in order. */
export const toScript = ({ refused, answer, next }: Scenario): readonly Answer[] => [
  ...(refused === undefined ? [] : [refused]),
  answer,
  ...(next === undefined ? [] : [next.answer]),
];

/** When a client was told to ask again, if nothing was lost. */
export const expectedWaits = (scenario: Scenario, tellsWait: boolean): readonly string[] =>
  toScript(scenario).flatMap((answer) => {
    if (answer.kind !== 'error') return [];
    return tellsWait && answer.waitS !== undefined ? [String(answer.waitS)] : [''];
  });

/** What a client was told of an answer, if nothing was lost. */
export const expectedTold = (answer: Answer, told: Told, driver: ClientDriver): Omit<Told, 'dropped' | 'waits'> => {
  if (answer.kind === 'error') {
    const { status, message } = answer;
    const said = told.error?.message ?? '';
    return { ...nothing, error: { status, message: said.includes(message) ? said : message } };
  }
  const { reasoning = '', calls = [], usage } = answer;
  return {
    ...expectedText(answer, told, driver),
    reasoning: driver.hides?.reasoning === undefined ? reasoning : '',
    calls,
    usage: shownCounts(usage, driver),
  };
};

/** The answer of a provider whose format has no word for a refusal. */
export const withoutRefusal = (answer: Answer): Answer =>
  answer.kind === 'answer' && answer.finish === 'refusal' ? { ...answer, finish: 'stop' } : answer;

/** The answer of a provider that counts only some kinds of tokens. */
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
