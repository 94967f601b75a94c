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

/** What a client was told of an answer, if nothing was lost. A refusal is a text of its own, or the text of the answer. */
export const expectedTold = (answer: Answer, told: Told, driver: ClientDriver): Omit<Told, 'dropped'> => {
  if (answer.kind === 'error') {
    const { status, message } = answer;
    const said = told.error?.message ?? '';
    return { ...nothing, error: { status, message: said.includes(message) ? said : message } };
  }
  const { text = '', reasoning = '', calls = [], finish, usage } = answer;
  const isRefusal = finish === 'refusal' && (told.refusal !== '' || driver.hides?.refusal !== undefined);
  const words = driver.finishes[finish];
  return {
    text: isRefusal ? '' : text,
    reasoning: driver.hides?.reasoning === undefined ? reasoning : '',
    calls,
    refusal: isRefusal && driver.hides?.refusal === undefined ? text : '',
    finish: words.includes(told.finish) ? told.finish : (words[0] ?? ''),
    usage,
  };
};
