import { describe, expect, it } from 'vitest';
import { continuationOf } from '../../../../runtime/engine/continued-streams/continued-request.ts';
import type { Conversation, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

const user = (text: string): Turn => ({ role: 'user', parts: [{ kind: 'text', text }] });
const model = (...texts: readonly string[]): Turn => ({
  role: 'assistant',
  parts: texts.map((text) => ({ kind: 'text', text })),
});
const asking = expect.objectContaining({ role: 'user' });

const conversation = (more: Partial<Conversation> = {}): Conversation => ({
  ...{ model: 'm', system: [], turns: [user('Hi')], tools: [], sampling: {}, stream: true, extensions: {} },
  ...more,
});

const plain = { provider: 'openai', dialect: 'chat', restores: false };
const prefilled = { provider: 'echo', dialect: 'chat', restores: false };
const marked = { provider: 'mistral-ai', dialect: 'chat', restores: false };

const requestOf = (text: string, given: Partial<Conversation> = {}, target = plain) =>
  continuationOf(text, { check: () => undefined }).request(conversation(given), target);

describe('the request for the rest of an answer', () => {
  it('has the answer so far as a turn of the model, and asks for the rest', () => {
    expect(requestOf('Once upon').conversation.turns).toEqual([user('Hi'), model('Once upon'), asking]);
  });

  it('ends with that turn if the model continues it by itself', () => {
    expect(requestOf('Once upon', {}, prefilled).conversation.turns).toEqual([user('Hi'), model('Once upon')]);
  });

  it('has the white space at its end removed, which providers refuse', () => {
    expect(requestOf('Once \n', {}, prefilled).conversation.turns).toEqual([user('Hi'), model('Once')]);
  });

  it('is the request of the client if there is only white space so far', () => {
    for (const text of ['', ' \n']) expect(requestOf(text).conversation.turns).toEqual([user('Hi')]);
  });

  it('joins the answer so far to the beginning that the client wrote', () => {
    const turns = [user('Hi'), model('Hello.'), user('Well?')];
    expect(requestOf('Once', { turns: [...turns, model('So: ')] }, prefilled).conversation.turns).toEqual([
      ...turns,
      model('So: ', 'Once'),
    ]);
    expect(requestOf('Once', { turns: [] }, prefilled).conversation.turns).toEqual([model('Once')]);
  });

  it('asks a model that would reason first', () => {
    const turnsFor = (reasoning: object): number =>
      requestOf('Once', { reasoning: reasoning as never }, prefilled).conversation.turns.length;
    expect([turnsFor({ kind: 'off' }), turnsFor({ kind: 'effort', effort: 'low' })]).toEqual([2, 3]);
  });

  it('counts the bytes of the answer so far', () => {
    expect(requestOf('Straße').saidBytes).toBe(7);
  });

  it('keeps everything else', () => {
    const given = { user: 'u', sampling: { temperature: 1 } };
    const { turns: _, ...rest } = requestOf('Once', given).conversation;
    const { turns: __, ...before } = conversation(given);
    expect(rest).toEqual(before);
  });

  it('has the output limit that is left', () => {
    // Nine bytes are three tokens.
    const limit = (maxTokens: number) => requestOf('Once upon', { sampling: { maxTokens } }).conversation.sampling;
    expect(limit(4)).toEqual({ maxTokens: 1 });
    for (const none of [3, 2]) expect(() => limit(none)).toThrow('already had as many tokens as the request allows');
  });

  it.each<[string, Partial<Conversation>, boolean, string | undefined]>([
    ['a text', { answerFormat: { kind: 'text' } }, false, undefined],
    ['one answer', { sampling: { count: 1 } }, false, undefined],
    ['two answers', { sampling: { count: 2 } }, false, 'it asks for several answers'],
    ['JSON', { answerFormat: { kind: 'json' } as never }, false, 'its answers must have a given format'],
    ['values that checks take out', {}, true, 'its checks take values out of the request'],
  ])('cannot be made if its answer could not be a part of another: %s', (_, given, restores, reason) => {
    const request = () => requestOf('Once', given, { ...plain, restores });
    if (reason === undefined) expect(request).not.toThrow();
    else expect(request).toThrow(expect.objectContaining({ message: expect.stringContaining(reason) }));
  });
});

describe('the mark of the beginning of an answer', () => {
  const body: JsonObject = { messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'assistant' }] };

  it('is set at the last turn of the model, for a provider that requires it', () => {
    expect(requestOf('Once', {}, marked).mark(body)).toEqual({
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'assistant', prefix: true }],
    });
    for (const target of [plain, prefilled]) expect(requestOf('Once', {}, target).mark(body)).toBe(body);
  });

  it.each<[string, JsonObject]>([
    ['no turns', {}],
    ['turns that are no list', { messages: 'Hi' }],
    ['a last turn of the user', { messages: [{ role: 'assistant' }, { role: 'user' }] }],
    ['a last turn that is no object', { messages: ['Hi'] }],
  ])('is not set in %s', (_, given) => {
    expect(requestOf('Once', {}, marked).mark(given)).toEqual(given);
  });
});
