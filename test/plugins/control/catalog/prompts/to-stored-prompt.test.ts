import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePrompt } from '../../../../../plugins/control/catalog/prompts/parse-prompt.ts';
import type { PromptContent } from '../../../../../plugins/control/catalog/prompts/prompt-content.ts';
import {
  type FoundPrompt,
  renderPrompt,
  toStoredPrompt,
} from '../../../../../plugins/control/catalog/prompts/prompts-of.ts';
import type { StoredPrompt } from '../../../../../plugins/sdk/control-plane/stored-prompt.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';

const toStored = (content: Partial<PromptContent> & { readonly string: string }): StoredPrompt => {
  const { prompt, problems } = parsePrompt({ parameters: {}, virtual_key: 'key', ...content });
  if (prompt === undefined) throw new Error(JSON.stringify(problems));
  const found: FoundPrompt = {
    ...{ id: 'p1', slug: 'hi', version: 1, versionId: 'v1', virtualKey: 'key', bytes: 1 },
    kind: prompt.text.kind === 'text' ? 'text' : 'chat',
    render: (variables, overrides = {}) => renderPrompt(prompt, variables, { overrides, partial: () => undefined }),
  };
  return toStoredPrompt('hi@prod', found);
};

const string = '[{"role":"user","content":"Greet {{who}}."}]';
const chat = toStored({ string, parameters: { max_tokens: 9, top_p: 0.5 }, model: 'own' });

describe('the body that replaces a client\u2019s', () => {
  it('is the rendered prompt with the client\u2019s parameters, for any body', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (members, who) => {
        const { variables: _variables, messages: _messages, hyperparameters: _nested, ...rest } = members as JsonObject;
        const body = { ...rest, variables: { who }, messages: [{ role: 'user', content: 'mine' }] };
        expect(chat.fill(body)).toEqual({
          ...{ max_tokens: 9, top_p: 0.5, model: 'own' },
          ...rest,
          messages: [{ role: 'user', content: `Greet ${who}.` }],
        });
      }),
    );
  });

  it('needs no variables, and contains the text of a stored completion prompt', () => {
    expect(chat.fill({})).toMatchObject({ messages: [{ role: 'user', content: 'Greet .' }] });
    const text = toStored({ string: 'Tell of {{who}}.' });
    expect(text.kind).toBe('text');
    expect(text.fill({ prompt: 'mine', stream: true, variables: { who: 'Rome' } })).toEqual({
      prompt: 'Tell of Rome.',
      stream: true,
    });
  });

  it.each<[string, StoredPrompt, JsonObject, string]>([
    ['variables that are not an object', chat, { variables: ['Ann'] }, '/variables'],
    ['variables that are null', chat, { variables: null }, '/variables'],
    ['nested parameters', chat, { hyperparameters: { top_p: 1 } }, '/hyperparameters'],
    [
      'a text that is not a list of messages',
      toStored({ string: '[{"role":"user","content":"{{{who}}}"}]', is_raw_template: 1 }),
      { variables: { who: '"' } },
      '/variables',
    ],
  ])('cannot be built from %s', (_, prompt, body, pointer) => {
    const message = expect.stringMatching(
      new RegExp(`^The stored prompt "hi@prod" cannot be rendered with ${pointer} of`),
    );
    const refused = { report: expect.objectContaining({ status: 400, code: 'unrendered-prompt', message }) };
    expect(() => prompt.fill(body)).toThrow(expect.objectContaining(refused));
  });
});
