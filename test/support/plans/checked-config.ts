import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import {
  type Check,
  type CheckInput,
  defineGuardrail,
  type Replacement,
  type Verdict,
} from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type ConfigWorld, type RunningConfig, runConfig, toJson } from '../in-process/run-config.ts';
import { sampleExchange } from '../in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../in-process/stub-upstreams.ts';

/** A chat answer with this text. */
export const chatSaying = (content: string, more: JsonObject = {}): JsonObject => ({
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content, ...more }, finish_reason: 'stop' }],
});

/** A chat request with this text. */
export const asking = (content: string, more: JsonObject = {}): JsonObject => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
});

/** Finds every occurrence of a text in the pieces that a check receives. */
export const occurrences = (
  { spans }: Pick<CheckInput, 'spans'>,
  text: string,
  added: string,
): readonly Replacement[] =>
  spans.flatMap((span, index) => {
    const found: Replacement[] = [];
    for (let from = span.text.indexOf(text); from !== -1; from = span.text.indexOf(text, from + text.length))
      found.push({ span: index, from, to: from + text.length, with: added });
    return found;
  });

/** Creates a check that passes and replaces one text by another. */
export const swapping =
  (text: string, added: string): Check =>
  (input): Verdict => ({ pass: true, data: {}, replace: occurrences(input, text, added) });

export interface CheckedConfig extends RunningConfig {
  /** The inputs of each check, in order. */
  readonly asked: readonly { readonly check: string; readonly input: CheckInput }[];
  /** The bodies that were sent, as JSON. */
  sent(): readonly JsonObject[];
  ask(
    body: JsonObject,
    given?: Partial<Exchange>,
  ): Promise<{ readonly response: GatewayResponse; readonly json: JsonObject }>;
}

/** Runs a config with one OpenAI target, or with its own targets, whose checks `test.<name>` are those in `checks`. */
export const checkedConfig = (
  config: JsonObject,
  checks: { readonly [name: string]: Check },
  {
    upstream = () => stubAnswer(chatSaying('an answer')),
    ...world
  }: Partial<ConfigWorld> & { readonly upstream?: StubHandler } = {},
): CheckedConfig => {
  const asked: { check: string; input: CheckInput }[] = [];
  const guardrails = Object.entries(checks).map(([name, check]) =>
    defineGuardrail({
      id: `test.${name}`,
      parameters: { type: 'object', properties: {} },
      create: () => (input) => {
        asked.push({ check: name, input });
        return check(input);
      },
    }),
  );
  const whole = 'targets' in config ? config : { provider: 'openai', api_key: '${env:KEY}', ...config };
  const plugins = [definePlugin({ name: 'test', guardrails }), ...(world.plugins ?? [])];
  const running = runConfig(whole, { ...world, upstream, plugins });
  return {
    ...running,
    asked,
    sent: () =>
      running.upstreams.requests.map(({ body }) =>
        body.kind === 'bytes' ? JSON.parse(Buffer.from(body.bytes).toString()) : {},
      ),
    async ask(body, given) {
      const response = await running.handle(sampleExchange(body, given));
      // In these tests, all bodies are JSON objects.
      return { response, json: toJson(response) as JsonObject };
    },
  };
};

/** Creates a hook with the checks of these names. */
export const readHook = (
  type: 'guardrail' | 'mutator',
  names: readonly string[],
  more: JsonObject = {},
): JsonObject => ({
  id: names.join('+'),
  type,
  checks: names.map((name) => ({ id: `test.${name}`, parameters: {} })),
  ...more,
});
