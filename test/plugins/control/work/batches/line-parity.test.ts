import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../../../plugins/builtin.ts';
import { type LineCodec, lineCodec } from '../../../../../plugins/control/work/batches/batch/line-codec.ts';
import { batchAdapters } from '../../../../../plugins/control/work/batches/providers/adapters.ts';
import type { Account } from '../../../../../plugins/control/work/provider-requests/account.ts';
import { type Catalogue, loadCatalogue } from '../../../../../plugins/sdk/plugin/catalogue.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../../schema/json/loose.ts';
import { type Family, families } from '../../../../matrix/families.ts';
import type { Answer } from '../../../../matrix/scenario.ts';
import { type GatewayProcess, startGateway } from '../../../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../../../support/servers/upstream-server.ts';

const customTool = { type: 'custom', custom: { name: 'apply_patch', description: 'Applies a patch.' } };
const functionTool = { type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } };
const turn = { role: 'user', content: 'Change a.ts.' };

const requests: Readonly<Record<string, JsonObject>> = {
  plain: { messages: [turn], max_tokens: 50, temperature: 0.5 },
  'with newer parameter names': { messages: [turn], max_completion_tokens: 50, seed: 7, user: 'me', store: false },
  'with a custom tool': { messages: [turn], max_tokens: 50, tools: [customTool, functionTool] },
  'with a custom tool that was called': {
    max_tokens: 50,
    tools: [customTool],
    messages: [
      turn,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'aaaaaaaa1', type: 'custom', custom: { name: 'apply_patch', input: '+ b' } }],
      },
      { role: 'tool', tool_call_id: 'aaaaaaaa1', content: 'Done.' },
    ],
  },
  'with a required function': { messages: [turn], max_tokens: 50, tools: [functionTool], tool_choice: 'required' },
};

const usage = { input: 20, output: 10 };
const answers: Readonly<Record<string, Answer>> = {
  'a text': { kind: 'answer', text: 'Done.', finish: 'stop', usage },
  'calls of a function and of a custom tool': {
    ...{ kind: 'answer', text: 'Let me change it.', finish: 'tool-calls', usage },
    calls: [
      { id: 'aaaaaaaa1', name: 'read_file', args: { path: 'a.ts' } },
      { id: 'aaaaaaaa2', name: 'apply_patch', args: { gw_input: '+ b' } },
    ],
  },
};

/** Changes the message of a choice, as in the answers of providers that omit something. */
const ofMessage =
  (change: (message: JsonObject) => JsonObject) =>
  (choice: JsonObject): JsonObject => ({ ...choice, message: change(findObject(choice.message) ?? {}) });

const leavingOut: Readonly<Record<string, (choice: JsonObject) => JsonObject>> = {
  'call-type': ofMessage((message) => ({
    ...message,
    tool_calls: toObjects(message.tool_calls).map(({ type: _, ...call }) => call),
  })),
  'plain-content': ofMessage((message) => ({
    ...message,
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: String(message.content) },
    ],
  })),
  'finish-reason': (choice) => ({ ...choice, finish_reason: 'model_length' }),
};

/** Parts that only streams have. */
const ofStreams = ['role', 'call-index'];

const withChoices = (body: JsonObject, change: (choice: JsonObject) => JsonObject): JsonObject => ({
  ...body,
  choices: toObjects(body.choices).map(change),
});

/** Removes the id and the time of an answer, which differ each time. */
const said = ({ id: _, created: __, ...body }: JsonObject): JsonObject => body;

const withBatches = families.filter(
  ({ provider, clients = ['chat'] }) => batchAdapters.has(provider) && clients.includes('chat'),
);

let gateway: GatewayProcess;
let upstream: TestUpstream;
let catalogue: Catalogue;
beforeAll(async () => {
  [gateway, upstream, catalogue] = await Promise.all([startGateway(), startUpstream(), loadCatalogue(builtinPlugins)]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

it('every provider with its own form of batches is tested here', () => {
  expect(new Set(withBatches.map(({ provider }) => provider))).toEqual(new Set(batchAdapters.keys()));
});

interface Single {
  readonly sent: JsonObject;
  /** The body as the provider sent it. */
  readonly given: JsonObject;
  readonly answer: JsonObject;
}

describe.each(withBatches)('a line of a batch of $id', (family: Family) => {
  const { override_params: _, custom_host: __, provider, ...settings } = family.config('http://h');
  const toCodec = (): LineCodec => lineCodec(catalogue, { provider, settings } as unknown as Account);

  /** Sends one request through the gateway. `change` can edit the provider's answer. */
  const single = async (body: JsonObject, answer: Answer, change = (wire: JsonObject) => wire): Promise<Single> => {
    let sent: JsonObject = {};
    let given: JsonObject = {};
    upstream.handle((call) => {
      sent = call.request.json() as JsonObject;
      const json = (wire: object, head?: Parameters<typeof call.json>[1]): void => {
        given = change(JSON.parse(JSON.stringify(wire)));
        call.json(given, head);
      };
      family.upstream.answer({ ...call, json }, answer, false);
    });
    const config = JSON.stringify(family.config(upstream.origin));
    const answered = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': config },
      body: JSON.stringify(body),
    });
    return { sent, given, answer: (await answered.json()) as JsonObject };
  };

  /** Returns the result of the same request as a line of a batch. */
  const line = (body: JsonObject, given: JsonObject): JsonObject => {
    const codec = toCodec();
    const edits = codec.edits(body);
    const knowing = codec.answering(new Map(edits === undefined ? [] : [['a', edits]]));
    return knowing.answer(given, { id: 'i', customId: 'a', created: 1, model: family.model });
  };

  const cases = Object.entries(requests).flatMap(([request, body]) =>
    Object.entries(answers).map(([name, answer]) => ({
      request,
      body: { model: family.model, ...body },
      name,
      answer,
    })),
  );

  it.each(cases)(
    'is sent and answered like a single request ($request, answered with $name)',
    async ({ body, answer }) => {
      const { sent, given, answer: shown } = await single(body, answer);
      expect(toCodec().request(body)).toEqual(sent);
      expect(said(line(body, given))).toEqual(said(shown));
    },
  );

  it('is answered with the function names of its request', async () => {
    const name = `mcp__4e9e25f1-b480-40f3-ba8d-a792f8f6ff07__${'read_file_'.repeat(4)}`;
    const tools = [{ ...functionTool, function: { ...functionTool.function, name } }];
    const body = { model: family.model, messages: [turn], max_tokens: 50, tools };
    const [written = ''] = /mcp__[\w-]+/.exec(JSON.stringify(toCodec().request(body))) ?? [];
    // If the service accepts the name, it is sent unchanged.
    if (written === name) return;
    const calls = [{ id: 'aaaaaaaa1', name: written, args: {} }];
    const { given, answer: shown } = await single(body, {
      kind: 'answer',
      text: '',
      finish: 'tool-calls',
      usage,
      calls,
    });
    expect(JSON.stringify(shown)).toContain(`"${name}"`);
    expect(said(line(body, given))).toEqual(said(shown));
    expect(toCodec().mayEdit).toBe(true);
  });

  const leftOut = builtinPlugins
    .flatMap(({ providers = [] }) => providers)
    .flatMap(({ id, leavesOut }) => (id === provider ? (leavesOut?.chat ?? []) : []))
    .filter((each) => !ofStreams.includes(each));

  it.runIf(leftOut.length > 0).each(leftOut)(
    'is completed like a single answer if the answer lacks its %s',
    async (each) => {
      const change = leavingOut[each];
      if (change === undefined) throw new Error(`Say in this test how an answer is without its ${each}.`);
      const body = { model: family.model, ...requests['with a custom tool'] };
      const [answer] = Object.values(answers).slice(1);
      if (answer === undefined) throw new Error('There is no answer with calls.');
      const { given, answer: shown } = await single(body, answer, (wire) => withChoices(wire, change));
      expect(said(shown)).not.toEqual(said(given));
      expect(said(line(body, given))).toEqual(said(shown));
    },
  );
});
