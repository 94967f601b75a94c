import { describe, expect, it } from 'vitest';
import type { Route } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { type ConfigWorld, runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const long = 'All of this is said before each question. '.repeat(120);
const model = 'claude-sonnet-4-5';
const hint = { type: 'ephemeral' };
const point = { cachePoint: { type: 'default' } };
const tool = { name: 'look_up', description: long, input_schema: { type: 'object' } };
const said = 'The sea, rising and falling.';
const why = { role: 'user', content: 'Why?' };
const turns: readonly JsonObject[] = [
  { role: 'user', content: 'What is a tide?' },
  { role: 'assistant', content: said },
  why,
];

const messagesRoute: Route = { operation: 'converse', dialect: 'messages' };
const converseRoute: Route = { operation: 'converse', dialect: 'converse', model: 'anthropic.claude-sonnet-4-5-v1:0' };
const claude = { provider: 'anthropic', api_key: '${env:KEY}' };
const bedrock = { provider: 'bedrock', api_key: '${env:KEY}' };
const vertex = { provider: 'vertex-ai', api_key: '${env:KEY}', cloudb_project_id: 'p', cloudb_region: 'us-east5' };

interface Sending {
  readonly config?: JsonObject;
  readonly route?: Route;
  readonly promptCache?: ConfigWorld['promptCache'];
}

/** Returns the text of the body that is sent upstream. */
const textSent = async (
  text: string,
  { config = claude, route, promptCache = 'auto' }: Sending = {},
): Promise<string> => {
  const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer({}, { status: 500 }), promptCache });
  const { request, ...plain } = sampleExchange(JSON.parse(text), route === undefined ? {} : { route });
  await handle({ ...plain, request: { ...request, body: { kind: 'bytes', bytes: Buffer.from(text) } } });
  const body = upstreams.requests[0]?.body;
  return body?.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '';
};

const sent = async (body: JsonObject, sending?: Sending): Promise<Json> =>
  JSON.parse(await textSent(JSON.stringify(body), sending));

const ownClaude = { route: messagesRoute };

describe('prompt_cache: "auto"', () => {
  it('adds hints after the tools, the system prompt and the turns before the last', async () => {
    const body = await sent({ model, max_tokens: 9, system: long, tools: [tool], messages: turns }, ownClaude);
    expect(body).toEqual({
      model,
      max_tokens: 9,
      tools: [{ ...tool, cache_control: hint }],
      system: [{ type: 'text', text: long, cache_control: hint }],
      messages: [
        turns[0],
        { role: 'assistant', content: [{ type: 'text', text: said, cache_control: hint }] },
        turns[2],
      ],
    });
  });

  it("leaves all other bytes unchanged in the client's own dialect", async () => {
    const before = `{ "n":9007199254740993, "temperature" : 1.0 ,\n "system": "`;
    const after = `" ,"model":"${model}","messages":[ {"role":"user","content":"\\u0041"} ]}`;
    expect(await textSent(`${before}${long}${after}`, ownClaude)).toBe(
      `${before.slice(0, -1)}[{"type":"text","text":"${long}","cache_control":{"type":"ephemeral"}}]${after.slice(1)}`,
    );
  });

  it('adds hints to translated requests too', async () => {
    const messages = [{ role: 'system', content: long }, ...turns];
    const body = await sent({ model, messages });
    expect(body).toMatchObject({ system: [{ text: long, cache_control: hint }] });
    const onVertex = await sent({ model: `anthropic.${model}`, messages }, { config: vertex });
    expect(onVertex).toMatchObject({ system: [{ text: long, cache_control: hint }] });
    const onBedrock = await sent({ model: `us.anthropic.${model}-v1:0`, messages }, { config: bedrock });
    expect(onBedrock).toMatchObject({ system: [{ text: long }, point], messages: [{}, { content: [{}, point] }, {}] });
  });

  it('adds cache points to the requests of Bedrock clients', async () => {
    const messages = turns.map(({ role = '', content = '' }) => ({ role, content: [{ text: content }] }));
    const tools = [{ toolSpec: { name: 'a', description: long, inputSchema: { json: {} } } }];
    const body = await sent(
      { system: [{ text: long }], messages, toolConfig: { tools } },
      { config: bedrock, route: converseRoute },
    );
    expect(body).toMatchObject({
      system: [{ text: long }, point],
      messages: [{}, { role: 'assistant', content: [{ text: said }, point] }, {}],
      toolConfig: { tools: [...tools, point] },
    });
  });

  it('adds hints only to the system prompt for Nova, which refuses cache points in tools', async () => {
    const tools = [{ type: 'function', function: { name: 'a', description: long, parameters: {} } }];
    const asked = { model: 'amazon.nova-pro-v1:0', tools, messages: [{ role: 'system', content: long }, ...turns] };
    const body = await sent(asked, { config: bedrock });
    expect(JSON.stringify(body).split('cachePoint')).toHaveLength(2);
    expect(body).toMatchObject({ system: [{ text: long }, point] });
  });

  const asked = { model, max_tokens: 9, system: long, messages: turns };
  const ownHint = { ...asked, system: [{ type: 'text', text: long, cache_control: hint }] };
  const withThought: readonly JsonObject[] = [
    { role: 'user', content: long },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }] },
    why,
  ];
  it.each<[string, JsonObject, Sending]>([
    ['it is off', asked, { ...ownClaude, promptCache: 'off' }],
    ['a request has hints of its own', ownHint, ownClaude],
    ['a request has one hint for all of it', { ...asked, cache_control: hint }, ownClaude],
    ['the prompt is too short', { ...asked, system: 'Be brief.' }, ownClaude],
    ['the model caches only longer prompts', { ...asked, model: 'claude-opus-4-5' }, ownClaude],
    ['the model is not known to accept hints', { ...asked, model: 'claude-2.1' }, ownClaude],
    ['the system prompt is blank', { ...asked, system: ' '.repeat(9000), messages: [why] }, ownClaude],
    ['the turn before the last ends with reasoning', { model, messages: withThought }, ownClaude],
    [
      'a tool is found by a search',
      { model, tools: [{ ...tool, defer_loading: true }], messages: turns.slice(2) },
      ownClaude,
    ],
    [
      'the provider caches by itself',
      { model: 'gpt-5', messages: [{ role: 'system', content: long }, ...turns] },
      { config: { provider: 'openai', api_key: '${env:KEY}' } },
    ],
    [
      'Bedrock refuses cache points of the model',
      { system: [{ text: long }], messages: [] },
      { config: bedrock, route: { ...converseRoute, model: 'meta.llama4-v1:0' } },
    ],
    [
      'the path of Bedrock does not name the model',
      { system: [{ text: long }], messages: [] },
      {
        config: bedrock,
        route: { ...converseRoute, model: 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc' },
      },
    ],
  ])('changes nothing if %s', async (_, body, sending) => {
    expect(await textSent(JSON.stringify(body), sending)).toBe(JSON.stringify(body));
  });

  it('counts text but not media', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(90_000) } };
    const body = { model, messages: [{ role: 'user', content: [image] }, ...turns.slice(1)] };
    expect(await textSent(JSON.stringify(body), ownClaude)).toBe(JSON.stringify(body));
  });
});
