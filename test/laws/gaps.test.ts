import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canAsk } from '../../compiler/capability-gaps/can-ask.ts';
import { type Feature, features } from '../../compiler/capability-gaps/features.ts';
import type { Gap } from '../../compiler/capability-gaps/find-gaps.ts';
import { planGaps } from '../../compiler/cli/explain/plan-gaps.ts';
import { builtinPlugins } from '../../plugins/builtin.ts';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { headerValue } from '../../plugins/sdk/http/http.ts';
import { buildCatalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Conversation } from '../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { capabilities } from '../../schema/model-facts/capability.ts';
import { plainConversation } from '../../schema/model-facts/carried-parts.ts';
import { indexFacts } from '../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../schema/model-facts/join-facts.ts';
import type { StatedFacts } from '../../schema/model-facts/model-facts.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { targetModel } from '../../schema/plan/target-model.ts';
import { type RunningConfig, runConfig } from '../support/in-process/run-config.ts';
import { sampleExchange } from '../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../support/in-process/stub-upstreams.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const catalogue = buildCatalogue(builtinPlugins);
const clients = ['chat', 'messages', 'responses', 'gemini', 'converse', 'cohere'].map((id): Dialect => {
  const dialect = catalogue.dialects.get(id);
  if (dialect?.conversation === undefined) throw new Error(`${id} does not converse.`);
  return dialect;
});

const key = { api_key: '${env:KEY}' };
const model = (name: string): JsonObject => ({ override_params: { model: name } });
const aws = {
  cloudc_region: 'us-east-1',
  cloudc_access_key_id: '${env:ID}',
  cloudc_secret_access_key: '${env:SECRET}',
};
const targets: readonly JsonObject[] = [
  { provider: 'openai', ...key, ...model('gpt-5.5') },
  { provider: 'anthropic', ...key, ...model('claude-sonnet-5') },
  { provider: 'google', ...key, ...model('gemini-2.5-pro') },
  { provider: 'bedrock', ...aws, ...model('anthropic.claude-sonnet-4-5-20250929-v1:0') },
  { provider: 'bedrock', ...aws, ...model('amazon.nova-pro-v1:0') },
  { provider: 'cohere', ...key, ...model('command-a-03-2025') },
  { provider: 'groq', ...key, ...model('llama-3.3-70b-versatile') },
  { provider: 'mistral-ai', ...key, ...model('mistral-large-latest') },
  { provider: 'deepseek', ...key, ...model('deepseek-chat') },
  { provider: 'ai21', ...key, ...model('jamba-large') },
  { provider: 'fireworks-ai', ...key, ...model('accounts/fireworks/models/glm-5') },
  { provider: 'perplexity-ai', ...key, ...model('sonar') },
  { provider: 'vertex-ai', ...key, cloudb_project_id: 'p', cloudb_region: 'us-central1', ...model('gemini-2.5-pro') },
];

const fallback = (...branches: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'fallback' },
  targets: branches,
});

/** A client's request for a conversation. */
const request = (client: Dialect, conversation: Conversation) => {
  const asked = { ...conversation, model: 'any' };
  const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: '' };
  const body = JSON.parse(JSON.stringify(client.conversation?.encodeRequest(asked, target).body)) as JsonObject;
  const inPath = client.id === 'gemini' || client.id === 'converse';
  const named = inPath ? { model: 'any', stream: conversation.stream } : {};
  return sampleExchange(body, { route: { operation: 'converse', dialect: client.id, ...named } });
};

/** Returns the losses that the answer of the last target reports. Every target rejects its request. */
const readLost = async (
  { handle }: RunningConfig,
  client: Dialect,
  sample: Conversation,
): Promise<readonly string[]> => {
  const { headers } = await handle(request(client, sample));
  const dropped = headerValue(headers, 'x-gw-dropped-params') ?? '';
  return dropped.split(', ').filter((member) => member !== '');
};

const refusing = (config: JsonObject): RunningConfig =>
  runConfig(config, { upstream: () => stubAnswer({}, { status: 500 }) });

const featureGap = (gaps: readonly Gap[], feature: Feature): Extract<Gap, { kind: 'feature' }> | undefined =>
  gaps.flatMap((gap) => (gap.kind === 'feature' && gap.feature === feature ? [gap] : []))[0];

/** Returns the members that are lost because of a feature. */
const becauseOf = ({ lost }: Feature, found: readonly string[], always: readonly string[]): readonly string[] =>
  found.filter((member) => (lost === undefined ? !always.includes(member) : lost.includes(member)));

const pair = fc
  .record({
    client: fc
      .constantFrom(...clients)
      .map((client) => Object.assign(client, { [fc.toStringMethod]: () => client.id })),
    first: fc.constantFrom(...targets),
    later: fc.constantFrom(...targets),
  })
  .filter(({ first, later }) => first !== later);

const withSample = features.filter(({ sample }) => sample !== undefined);

const gapsOf = (plan: RoutingPlan, client: Dialect): readonly Gap[] =>
  planGaps(plan, { catalogue, client }).flatMap(({ gaps }) => gaps);

describe('gaps between branches', () => {
  it('are reported exactly if only the later target loses request members, and list those members', {
    timeout: slowLawMs,
  }, async () => {
    const seen = { gap: 0, served: 0, lostAtFirst: 0 };
    await fc.assert(
      fc.asyncProperty(pair, fc.constantFrom(...withSample), async ({ client, first, later }, feature) => {
        const { sample = plainConversation } = feature;
        fc.pre(canAsk(feature, client));
        const both = refusing(fallback(first, later));
        const alone = refusing(first);
        const gap = featureGap(gapsOf(both.plan, client), feature);
        const [atFirst, alwaysFirst] = [
          await readLost(alone, client, sample),
          await readLost(alone, client, plainConversation),
        ];
        const [atLater, alwaysLater] = [
          await readLost(both, client, sample),
          await readLost(both, client, plainConversation),
        ];
        const lostAtFirst = becauseOf(feature, atFirst, alwaysFirst);
        const lostAtLater = becauseOf(feature, atLater, alwaysLater);
        const isGap = lostAtFirst.length === 0 && lostAtLater.length > 0;
        if (isGap) expect(gap?.shortage).toMatchObject({ kind: 'format', lost: lostAtLater });
        else expect(gap).toBeUndefined();
        if (lostAtFirst.length > 0) seen.lostAtFirst += 1;
        else seen[isGap ? 'gap' : 'served'] += 1;
      }),
      dearLawRuns,
    );
    expect(Object.values(seen)).not.toContain(0);
  });

  it('are reported exactly if the gateway skips the later target when capabilities are required', {
    timeout: slowLawMs,
  }, async () => {
    const chosen = withSample.filter(({ capability }) => capability !== undefined);
    const lacks = fc.subarray(capabilities.filter((each) => each !== 'chat'));
    await fc.assert(
      fc.asyncProperty(pair, lacks, fc.constantFrom(...chosen), async ({ client, first, later }, unable, feature) => {
        const { sample = plainConversation } = feature;
        fc.pre(canAsk(feature, client));
        const free = refusing(fallback(first, later));
        const stated = free.plan.targets.map((target, index): StatedFacts => {
          const { from } = target;
          const provider = from.kind === 'inline' ? from.provider : '';
          return {
            ...{ provider, model: targetModel(target) ?? '', source: 'operator', asOf: '2026-11-01' },
            ...(index === 1 && { unable }),
          };
        });
        const find = indexFacts(joinFacts(stated));
        const models = new Map(
          free.plan.targets.flatMap((target) => {
            const { from } = target;
            const facts = from.kind === 'inline' ? find(from.provider, targetModel(target) ?? '') : undefined;
            return facts === undefined ? [] : [[target, { facts }] as const];
          }),
        );
        const gaps = planGaps(free.plan, { catalogue, client, models }).flatMap((each) => each.gaps);
        const running = runConfig(
          { strategy: { mode: 'fallback', require: 'capabilities' }, targets: [first, later] },
          {
            upstream: () => stubAnswer({}, { status: 500 }),
            models: async () => ({ ofProvider: async (provider) => (name) => find(provider, name) }),
          },
        );
        const exchange = request(client, sample);
        await running.handle(exchange);
        const unableBranches = exchange.trail.flatMap((event) => (event.kind === 'unable' ? event.branches : []));
        const leftOut = unableBranches.map(({ branch }) => branch);
        const isGap = featureGap(gaps, feature) !== undefined;
        expect(isGap).toBe(leftOut.includes(1) && !leftOut.includes(0));
      }),
      dearLawRuns,
    );
  });
});
