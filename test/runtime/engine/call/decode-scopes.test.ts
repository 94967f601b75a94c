import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import type {
  ConversationCodec,
  DecodeAnswer,
  DecodeRequest,
  Dialect,
} from '../../../../plugins/sdk/dialect/dialect.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { tongueWith } from '../../../support/plugins/tongue.ts';

interface Seen {
  readonly requests: DecodeRequest[];
  readonly answers: DecodeAnswer[];
}

const toCodec = ({ conversation }: Dialect): ConversationCodec => {
  if (conversation === undefined) throw new Error('It does not converse.');
  return conversation;
};

/** Chat under another name, which records the options that it is called with. */
const watched = (): { readonly dialect: Dialect; readonly seen: Seen } => {
  const codec = toCodec(chat);
  const seen: Seen = { requests: [], answers: [] };
  const dialect: Dialect = {
    ...chat,
    id: 'watched',
    routes: [],
    conversation: {
      ...codec,
      decodeRequest: (wire, options) => {
        seen.requests.push(options);
        return codec.decodeRequest(wire, options);
      },
      decodeAnswer: (wire, options) => {
        seen.answers.push(options);
        return codec.decodeAnswer(wire, options);
      },
    },
  };
  return { dialect, seen };
};

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const answer = { id: 'a', choices: [{ index: 0, message: { content: 'yes' }, finish_reason: 'stop' }] };

describe('a dialect', () => {
  it('decodes a translated request with an empty scope and the requested model and stream flag', async () => {
    const { dialect, seen } = watched();
    const plugins = [tongueWith({ tongue: '/say' }), definePlugin({ name: 'watched', dialects: [dialect] })];
    const config = { provider: 'own', override_params: { model: 'over' } };
    const { handle } = runConfig(config, { upstream: () => stubAnswer({}), plugins });
    await handle(
      sampleExchange({ ...question, stream: true }, { route: { operation: 'converse', dialect: 'watched' } }),
    );
    expect(seen.requests).toEqual([{ scope: '', model: 'over', stream: true }]);
  });

  it('decodes an answer with the scope of its target, which is the same each time', async () => {
    const { dialect, seen } = watched();
    const plugins = [tongueWith({ watched: '/say' }), definePlugin({ name: 'watched', dialects: [dialect] })];
    const { handle } = runConfig({ provider: 'own' }, { upstream: () => stubAnswer(answer), plugins });
    for (const _ of [1, 2]) await handle(sampleExchange(question));
    const [first, second] = seen.answers;
    expect(first).toEqual({ scope: expect.stringMatching(/^[0-9a-f]{12}$/), model: 'm' });
    expect(second).toEqual(first);
  });
});
