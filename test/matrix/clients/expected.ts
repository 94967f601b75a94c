import type { Answer, Ask, Heard, Told } from '../scenario.ts';
import type { ClientDriver } from './client-driver.ts';

/** What a provider has heard of a request, if nothing was lost. */
export const expectedHeard = (ask: Ask, stream: boolean, { result }: ClientDriver): Omit<Heard, 'model'> => ({
  stream,
  system: ask.system === undefined ? [] : [ask.system],
  user: [ask.user],
  images: ask.image === undefined ? [] : [ask.image.base64],
  documents: ask.document === undefined ? [] : [ask.document.base64],
  tools: (ask.tools ?? []).map(({ name, schema }) => ({ name, schema })),
  calls: ask.earlier?.calls ?? [],
  results: (ask.earlier?.results ?? []).map(({ id, name, text }) => ({
    id,
    text: result?.(name, text) ?? text,
  })),
  ...(ask.schema && { schema: ask.schema.schema }),
  reasoning: ask.reasoning ?? false,
  maxTokens: ask.maxTokens,
});

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

/** What a client was told of an answer, if nothing was lost. */
export const expectedTold = (answer: Answer, told: Told, driver: ClientDriver): Omit<Told, 'dropped'> => {
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
    usage,
  };
};

/** The answer of a provider whose format has no word for a refusal. */
export const withoutRefusal = (answer: Answer): Answer =>
  answer.kind === 'answer' && answer.finish === 'refusal' ? { ...answer, finish: 'stop' } : answer;
