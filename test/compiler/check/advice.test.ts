import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { toCodes } from '../../support/plans/compiled.ts';

const openai = { provider: '@openai-prod' };
const azure = { provider: '@azure-prod' };
const forward = { forward_headers: ['authorization'] };
const fallback = (...targets: readonly Json[]): JsonObject => ({ strategy: { mode: 'fallback' }, targets });
const continuing = (on_status_codes: readonly number[] | undefined, ...targets: readonly Json[]): JsonObject => ({
  strategy: { mode: 'fallback', continue: true, ...(on_status_codes === undefined ? {} : { on_status_codes }) },
  targets,
});
const spread = (...targets: readonly Json[]): JsonObject => ({ strategy: { mode: 'loadbalance' }, targets });
const balance = (...weights: readonly (number | undefined)[]): Json => ({
  strategy: { mode: 'loadbalance' },
  targets: weights.map((weight, seed) => ({
    ...openai,
    override_params: { seed },
    ...(weight === undefined ? {} : { weight }),
  })),
});
const choose = (...queries: readonly Json[]): Json => ({
  strategy: { mode: 'conditional', conditions: queries.map((query) => ({ query, then: 'a' })), default: 'b' },
  targets: [
    { ...openai, name: 'a' },
    { ...azure, name: 'b' },
  ],
});
const breaker = { failure_threshold: 3, cooldown_interval: 60000 };
const words = { 'default.contains': { words: ['x'], operator: 'none' } };
const replaceFirst = { 'default.regexReplace': { rule: 'secret' } };
const replaceAll = { 'default.regexReplace': { rule: '/secret/g' } };
const embedding = { ...openai, override_params: { model: 'text-embedding-3-small' } };
const hook = { id: 'a', checks: [{ id: 'default.contains', parameters: words['default.contains'] }] };
const copied = (target: JsonObject): JsonObject => ({ mirror: { percent: 1, target } });
/** A fallback that no status triggers. */
const triggeredBy = (strategy: JsonObject, target: JsonObject = {}): JsonObject => ({
  strategy: { mode: 'fallback', on_status_codes: [], ...strategy },
  targets: [{ ...openai, ...target }, azure],
});
const slow = { deadline_ms: 5000, request_timeout: 5000 };
const params = (override_params: Json): Json => ({ ...openai, override_params });

describe('advice', () => {
  it.each<[Json, string]>([
    [choose({ $and: [{ 'metadata.a': 1 }, { 'metadata.a': 2 }] }), 'unreachable-condition'],
    [choose({ 'metadata.a': { $gt: 10, $lt: 5 } }), 'unreachable-condition'],
    [choose({ 'metadata.a': { $in: [] } }), 'unreachable-condition'],
    [choose({ $or: [] }), 'unreachable-condition'],
    [choose({ 'params.n': { $gt: 100 } }, { 'params.n': { $gt: 1000 } }), 'unreachable-condition'],
    [choose({ 'metadata.a': { $in: ['x', 'y'] } }, { 'metadata.a': 'x' }), 'unreachable-condition'],
    [choose({ 'metadata.a': 1 }, { 'metadata.a': 1, 'metadata.b': 2 }), 'unreachable-condition'],
    [choose({ 'metadata.a': 1 }, { 'metadata.a': 1 }), 'unreachable-condition'],
    [choose({ 'params.a': { $exists: false, $eq: 1 } }), 'unreachable-condition'],
    [choose({ 'params.a': { $exists: false }, 'params.a.b': { $gt: 1 } }), 'unreachable-condition'],
    [choose({ 'params.a': { $size: 2, $not: { $size: 2 } } }), 'unreachable-condition'],
    [choose({ $and: [{ 'params.a': { $size: 2 } }, { 'params.a': { $size: 3 } }] }), 'unreachable-condition'],
    [choose({ 'params.a': { $size: 1, $all: ['x', 'y'] } }), 'unreachable-condition'],
    [choose({ 'params.a': { $size: 0, $elemMatch: { b: 1 } } }), 'unreachable-condition'],
    [choose({ 'params.a': { $all: ['x'], $regex: 'x' } }), 'unreachable-condition'],
    [choose({ 'params.a': { $elemMatch: { $gt: 9, $lt: 5 } } }), 'unreachable-condition'],
    [choose({ 'params.a': { $gt: 9, $not: { $gte: 5 } } }), 'unreachable-condition'],
    [choose({ 'params.a': { $exists: true } }, { 'params.a.b': { $all: ['x'] } }), 'unreachable-condition'],
    [choose({ 'params.a': { $exists: true } }, { 'params.a': { $elemMatch: { b: 1 } } }), 'unreachable-condition'],
    [choose({ 'params.a': { $all: ['x'] } }, { 'params.a': { $all: ['y', 'x'] } }), 'unreachable-condition'],
    [
      choose({ 'params.a': { $elemMatch: { $regex: '^x' } } }, { 'params.a': { $all: ['xy'] } }),
      'unreachable-condition',
    ],
    [
      choose({ 'params.a': { $elemMatch: { b: { $gt: 1 } } } }, { 'params.a': { $elemMatch: { b: 2, c: 3 } } }),
      'unreachable-condition',
    ],
    [choose({ 'params.a': { $not: { $gt: 9 } } }, { 'params.a': { $not: { $gt: 5 } } }), 'unreachable-condition'],
    [choose({ 'params.a': { $not: { $size: 1 } } }, { 'params.a': { $size: 2 } }), 'unreachable-condition'],
    [choose({ 'url.pathname': { $exists: false } }), 'unreachable-condition'],
    [choose({ 'url.pathname': { $exists: true } }), 'constant-condition'],
    [choose({ $and: [] }), 'constant-condition'],
    [choose(), 'no-effect'],
    [choose({ 'params.stream': 'true' }), 'unequal-type'],
    [choose({ 'metadata.a': { $regex: '/gold/i' } }), 'slashed-pattern'],
    [{ ...openai, cache: { mode: 'simple', max_age: -1 } }, 'out-of-range'],
    [choose({ 'params.max_tokens': { $in: ['10'] } }), 'unequal-type'],
    [balance(0.7, 30), 'mixed-weights'],
    [balance(0.7, undefined), 'forgotten-weight'],
    [fallback({ provider: 'echo' }, openai), 'unreachable-target'],
    [fallback({ provider: 'echo', override_params: { model: 'echo' } }, openai), 'unreachable-target'],
    [fallback(fallback(openai, { provider: 'echo' }), openai), 'unreachable-target'],
    [fallback(spread({ provider: 'echo' }, { provider: 'echo' }), openai), 'unreachable-target'],
    [{ ...openai, retry: { attempts: 1, on_status_codes: [204] } }, 'success-status'],
    [{ ...openai, retry: { attempts: 1, on_status_codes: [446] } }, 'impossible-status'],
    [{ ...openai, retry: { attempts: 1, on_status_codes: [429, 429] } }, 'duplicate-item'],
    [{ ...openai, request_timeout: 30 }, 'unlikely-duration'],
    [{ ...openai, request_timeout: 0 }, 'no-effect'],
    [{ ...openai, cb_config: breaker }, 'no-effect'],
    [{ ...openai, input_guardrails: [{ ...words, deny: true, async: true }] }, 'no-effect'],
    [{ ...openai, after_request_hooks: [{ id: 'no-secrets' }] }, 'no-effect'],
    [{ ...openai, input_guardrails: [{ 'default.regexMatch': { rule: 'secret^' }, deny: true }] }, 'matches-no-text'],
    [{ ...openai, input_guardrails: [{ 'default.regexReplace': { rule: '$[0-9]+' } }] }, 'matches-no-text'],
    [
      {
        ...openai,
        after_request_hooks: [
          {
            id: 'h',
            type: 'mutator',
            async: true,
            checks: [{ id: 'default.contains', parameters: { words: ['x'], operator: 'none' } }],
          },
        ],
      },
      'no-effect',
    ],
    [{ ...openai, input_guardrails: [{ 'default.pii': { categories: ['email'], action: 'block' } }] }, 'no-effect'],
    [params({ temperature: 3 }), 'unlikely-parameter'],
    [params({ max_tokens: '10' }), 'unlikely-parameter'],
    [params({ maxTokens: 10 }), 'unknown-parameter'],
    [params({ retry: {} }), 'unknown-parameter'],
    [params({ modl: 'gpt-5.4' }), 'unknown-parameter'],
    [params({ mdoel: 'gpt-5.4' }), 'unknown-parameter'],
    [params({ model: 'claude-sonnet-4-5' }), 'foreign-model'],
    [params({ model: 'text-embedding-004' }), 'foreign-model'],
    [{ provider: 'anthropic', api_key: '${env:OPENAI_KEY}' }, 'foreign-secret'],
    [{ provider: 'openai', custom_host: 'https://a.example.com' }, 'missing-version'],
    [{ provider: 'azure-openai', api_key: '${env:KEY}', custom_host: 'https://a.openai.azure.com' }, 'missing-version'],
    [
      { provider: 'azure-openai', api_key: '${env:KEY}', custom_host: 'https://a.example.com/openai/v1' },
      'missing-version',
    ],
    [{ provider: 'azure-openai', api_key: '${env:KEY}', custom_host: 'http://localhost:9000/v1' }, 'missing-version'],
    [{ ...openai, ...forward }, 'replaced-credential'],
    [{ ...fallback(openai), ...forward }, 'replaced-credential'],
    [{ ...fallback(openai, azure), ...forward }, 'forwarded-credential'],
    [{ ...fallback({ provider: 'openai' }, azure), forward_headers: ['x-api-key'] }, 'forwarded-credential'],
    [{ ...openai, before_request_hooks: [{ id: 'no-secrets', checks: [] }] }, 'no-effect'],
    [{ strategy: { mode: 'loadbalance', continue: true }, targets: [openai, azure] }, 'no-effect'],
    [continuing(undefined, openai), 'no-effect'],
    [continuing([429, 503], openai, azure), 'no-effect'],
    [{ ...continuing(undefined, openai, azure), output_guardrails: [{ ...words, deny: true }] }, 'never-continued'],
    [{ ...continuing(undefined, openai, azure), output_guardrails: [replaceFirst] }, 'never-continued'],
    [choose({ 'url.pathname': '/v1/chat/completion' }), 'unlikely-path'],
    [choose({ 'url.pathname': { $ne: '/chat/completions' } }), 'unlikely-path'],
    [choose({ 'url.pathname': { $in: ['/v1/embeddings', 'https://api.openai.com/v1/embeddings'] } }), 'unlikely-path'],
    [choose({ 'url.pathname': 'POST /v1/rerank' }), 'unlikely-path'],
    [choose({ 'url.pathname': '/v1/images/' }), 'unlikely-path'],
    [choose({ 'url.pathname': { $regex: '^/v1/chat/completion$' } }), 'unlikely-path'],
    [choose({ 'metadata.tier': { $in: ['gold', null] } }), 'null-comparison'],
    [choose({ 'params.user': { $ne: null } }), 'null-comparison'],
    [choose({ 'metadata.tier': { $in: ['gold', 'free '] } }), 'stray-blank'],
    [choose({ 'params. model': 'gpt-5.5' }), 'stray-blank'],
    [choose({ 'params.model': 5 }), 'unequal-type'],
    [choose({ 'params.max_tokens': 1.5 }), 'unequal-type'],
    [choose({ 'params.temperature': { $regex: '^0' } }), 'unequal-type'],
    [choose({ 'params.tools': { $gt: 3 } }), 'unequal-type'],
    [choose({ 'params.maxTokens': { $gt: 3 } }), 'unknown-parameter'],
    [choose({ 'params.messages.role': 'user' }), 'unknown-parameter'],
    [choose({ 'params.messages.length': { $gt: 5 } }), 'unknown-parameter'],
    [choose({ 'params.model.name': 'gpt-4o' }), 'unknown-parameter'],
    [choose({ 'metadata.tier': { $regex: '.*' } }), 'matches-any-text'],
    [choose({ 'metadata.tier': { $regex: '$gold' } }), 'matches-no-text'],
    [choose({ 'params.model': { $in: ['gpt-5.5', '*mini'] } }), 'unread-glob'],
    [choose({ 'params.model': '^gpt-4' }), 'unread-glob'],
    [choose({ 'params.model': { $regex: 'gpt-4*' } }), 'unread-glob'],
    [
      {
        ...openai,
        input_guardrails: [
          { ...words, deny: true },
          { ...words, deny: true },
        ],
      },
      'duplicate-item',
    ],
    [fallback({ ...openai, cb_config: { ...breaker, failure_status_codes: [446, 500] } }, azure), 'impossible-status'],
    [{ ...openai, deadline_ms: 5000, request_timeout: 5000 }, 'no-effect'],
    [{ ...copied(azure), ...fallback({ ...openai, request_timeout: 5000 }, azure), deadline_ms: 5000 }, 'no-effect'],
    [{ ...copied({ ...azure, request_timeout: 900 }), ...openai, ...slow }, 'no-effect'],
    [{ ...copied({ ...azure, breaker: { by: ['model'] } }), ...openai }, 'no-effect'],
    [triggeredBy({}), 'empty-trigger'],
    [
      fallback({ ...openai, cb_config: { ...breaker, failure_status_codes: [] }, breaker: { by: ['model'] } }, azure),
      'no-effect',
    ],
    [{ ...openai, deadline_ms: 30 }, 'unlikely-duration'],
    [{ ...openai, deadline_ms: 3500, retry: { attempts: 3 } }, 'late-retries'],
    [{ ...fallback({ ...openai, retry: { attempts: 2 } }, azure), deadline_ms: 1000 }, 'late-retries'],
    [choose({ 'metadata.tier': { $in: ['gold', 'free', 'gold'] } }), 'duplicate-item'],
    [choose({ $or: [{ 'metadata.a': 'x' }, { 'metadata.a': { $ne: 'x' } }] }), 'constant-condition'],
    [
      choose({ 'metadata.a': 'x' }, { 'metadata.a': 'y' }, { 'metadata.a': { $in: ['x', 'y'] } }),
      'unreachable-condition',
    ],
    [
      choose({ $and: [{ $or: [{ 'metadata.a': 1 }, { 'metadata.a': 2 }] }, { 'metadata.a': 3 }] }),
      'unreachable-condition',
    ],
    [choose({ 'metadata.features.beta': true }), 'nested-label'],
    [{ ...fallback(embedding, embedding), after_request_hooks: [hook] }, 'unjudged-answers'],
    [
      { ...fallback({ ...openai, output_guardrails: [words] }, embedding), output_guardrails: [words] },
      'unjudged-answers',
    ],
  ])('is given for %j', (config, code) => {
    expect(toCodes(config)).toContain(code);
  });

  it.each<[Json]>([
    [{ provider: 'groq', api_key: '${env:GROQ_KEY}', override_params: { model: 'gpt-oss-20b' } }],
    [choose({ 'metadata.a': 1 }, { 'metadata.b': 1 })],
    [choose({ 'metadata.a': 1, 'metadata.b': 2 }, { 'metadata.a': 1 })],
    [choose({ 'params.n': { $gt: 1000 } }, { 'params.n': { $gt: 100 } })],
    [choose({ 'params.n': { $gte: 5, $lte: 5 } })],
    [choose({ 'metadata.a': { $ne: 'x' } }, { 'metadata.a': 'x' })],
    [choose({ 'url.pathname': { $eq: '/v1/chat/completions', $regex: '^/chat' } })],
    [choose({ 'metadata.flag': 'true' })],
    [choose({ 'params.a': { $lte: 5 } }, { 'params.a': { $not: { $gt: 5 } } }, { 'params.a': { $gt: 5 } })],
    [choose({ 'params.a': { $all: ['x', 'y'] } }, { 'params.a': { $all: ['x'] } })],
    [choose({ $and: [{ 'params.a': { $elemMatch: { $gt: 9 } } }, { 'params.a': { $elemMatch: { $lt: 5 } } }] })],
    [choose({ 'params.a': { $elemMatch: { b: 2 } } }, { 'params.a': { $elemMatch: { b: { $gt: 1 } } } })],
    [choose({ 'params.a.b': 1 }, { 'params.a': { $exists: true } })],
    [choose({ 'params.a': { $elemMatch: { b: { $ne: 1 } } } }, { 'params.a': { $all: [2] } })],
    [choose({ 'metadata.a': { $exists: true } }, { 'metadata.a': { $ne: 'x' } })],
    [choose({ 'params.model': 'gpt-4o' })],
    [{ ...fallback(openai, embedding), output_guardrails: [words] }],
    [{ ...openai, input_guardrails: [{ 'default.regexReplace': { rule: '/a$\\n^b/m', redactText: 'x' } }] }],
    [{ ...openai, input_guardrails: [{ 'default.regexMatch': { rule: '^secret$' }, deny: true }] }],
    [{ ...embedding, input_guardrails: [words] }],
    [triggeredBy({ hedge: { after_ms: 800 } })],
    [triggeredBy({ require: 'capabilities' })],
    [triggeredBy({}, { cb_config: breaker })],
    [fallback({ ...openai, cb_config: { ...breaker, failure_status_codes: [] }, breaker: { by: ['error'] } }, azure)],
    // No deadline ends a copy.
    [{ ...copied(azure), ...openai, ...slow }],
    [{ ...copied({ ...azure, request_timeout: 5000 }), ...openai, deadline_ms: 5000 }],
    [{ ...openai, deadline_ms: 3501, retry: { attempts: 3 } }],
    [{ ...openai, deadline_ms: 3500, retry: { attempts: 3, use_retry_after_headers: true } }],
    [
      {
        ...{ ...openai, deadline_ms: 3500, output_guardrails: [{ ...words, deny: true }] },
        retry: { attempts: 3, on_status_codes: [446, 500] },
      },
    ],
    [{ ...copied(azure), ...openai, deadline_ms: 3500, retry: { attempts: 3 } }],
    [{ ...fallback({ ...copied(azure), ...openai }, azure), ...slow }],
    [balance(0.7, 0.3)],
    [balance(70, 30)],
    [balance(0.5, 1)],
    [balance(3, undefined)],
    [fallback(openai, { provider: 'echo' })],
    [continuing(undefined, openai, azure)],
    [continuing([408], openai, azure)],
    [continuing(undefined, { ...openai, output_guardrails: [replaceFirst] }, azure)],
    [continuing(undefined, openai, { ...azure, output_guardrails: [replaceAll] })],
    [continuing(undefined, openai, { ...azure, output_guardrails: [{ ...replaceFirst, async: true }] })],
    [continuing([429, 502], openai, { ...azure, input_guardrails: [{ ...words, deny: true }] })],
    [fallback({ ...openai, cb_config: breaker }, azure)],
    // The circuit of its credential is shared with other targets and configs.
    [{ ...openai, cb_config: breaker, breaker: { by: ['error'] } }],
    [{ ...openai, retry: { attempts: 1, on_status_codes: [400, 429] } }],
    [
      {
        ...openai,
        override_params: { stream: false },
        output_guardrails: [{ ...words, deny: true }],
        retry: { attempts: 1, on_status_codes: [446] },
      },
    ],
    [params({ temperature: 0, min_tokens: 5, top_a: 1, repetition_penalty: 2, max_tokens: null })],
    [params({ model: 'ft:gpt-4o:me' })],
    [
      {
        ...openai,
        input_guardrails: [
          { 'default.pii': { categories: ['email'], action: 'block' }, deny: true },
          { 'default.pii': { categories: ['email'], action: 'block' }, async: true },
          { 'default.pii': { categories: ['email'] } },
        ],
      },
    ],
    [params({ mode: 'fast', models: ['gpt-5.4', 'gpt-5.5'] })],
    [{ provider: 'openai', api_key: '${env:CLAUDE_KEY}', custom_host: 'https://a.example.com/v1' }],
    [{ provider: 'openai', api_key: '${env:KEY}', custom_host: 'http://localhost:11434/v1' }],
    [{ provider: 'openai', api_key: '${env:KEY}', custom_host: 'http://10.1.2.3:8000/v1' }],
    [{ provider: 'azure-openai', api_key: '${env:KEY}', custom_host: 'https://a.example.com/proxy/openai' }],
    [{ provider: 'azure-openai', api_key: '${env:KEY}', custom_host: 'https://a.example.com/openai/' }],
    ...['text-embedding-004', 'text-embedding-005', 'text-multilingual-embedding-002', 'gemini-embedding-001'].map(
      (model): [Json] => [{ provider: 'google', api_key: '${env:KEY}', override_params: { model } }],
    ),
    [{ provider: 'azure-openai', api_key: '${env:AZURE_OPENAI_KEY}', resource_name: 'a', api_version: 'v1' }],
    [fallback({ ...openai, override_params: { model: 'gpt-4o' } }, { ...openai })],
    [fallback({ ...openai }, { provider: 'anthropic', api_key: '${env:KEY}', override_params: { model: 'claude-x' } })],
    [{ provider: 'openai', ...forward }],
    [{ ...fallback({ provider: 'openai' }, { provider: 'openai', request_timeout: 5000 }), ...forward }],
    [fallback({ provider: 'openai', ...forward }, openai)],
    [{ override_params: { model: '@openai-prod/gpt-4o' } }],
    [
      fallback(
        { override_params: { model: '@openai-prod/gpt-4o' } },
        { override_params: { model: '@azure-prod/gpt-4o' } },
      ),
    ],
    [{ ...openai, input_guardrails: [{ id: 'no-secrets', deny: true }] }],
    [{ ...openai, before_request_hooks: [{ id: 'no-secrets' }] }],
    [{ ...openai, output_guardrails: ['no-secrets'] }],
    [{ ...openai, after_request_hooks: [{ id: 'no-secrets', checks: [{ id: 'test.choosy', parameters: {} }] }] }],
    [{ ...openai, custom_host: 'http://llm_server:8000/v1' }],
    [choose({ 'url.pathname': '/v1/files' }, { 'url.pathname': { $regex: '^/realtime' } })],
    [choose({ 'url.pathname': { $in: ['/v2/chat', '/v1/models', '/v1beta/models/gemini-x:generateContent'] } })],
    [choose({ 'params.metadata.team': 'a', 'params.messages': { $size: 1 }, 'params.stop': 'END' })],
    [choose({ $or: [{ 'params.n': { $gt: 5 } }, { 'params.n': { $lte: 5 } }] })],
    [choose({ 'params.temperature': { $gt: 1 }, 'params.user': { $gt: 5 } })],
    [choose({ 'params.top_a': 'x', 'params.stream': { $exists: true } })],
    [choose({ 'params.messages.0.role': 'user', 'params.stop.1': 'x', 'params.stream_options.include_usage': true })],
    [choose({ 'params.tool_choice.type': 'function', 'params.input.role': 'user' })],
    [fallback(openai, { ...fallback(openai, azure), retry: { attempts: 1 } })],
    [balance(undefined, undefined)],
    [fallback({ provider: 'echo', override_params: { model: 'echo?status=500' } }, openai)],
    [fallback(spread({ provider: 'echo' }, openai), azure)],
    [fallback(spread({ provider: 'echo' }, { provider: 'echo', override_params: { echo: { status: 500 } } }), azure)],
    [fallback({ ...fallback(openai, { provider: 'echo' }), input_guardrails: [{ ...words, deny: true }] }, azure)],
    [
      fallback(
        {
          ...spread({ provider: 'echo' }, { provider: 'echo' }),
          strategy: { mode: 'loadbalance', require: 'capabilities' },
        },
        azure,
      ),
    ],
    [{ ...fallback({ provider: 'echo' }, openai), max_cost_usd: 1 }],
    [fallback({ provider: 'echo', override_params: { echo: { status: 500 } } }, openai)],
  ])('is not given for %j', (config) => {
    expect(toCodes(config)).toEqual([]);
  });

  it('is for operators only', () => {
    expect(toCodes(choose({ $and: [] }), 'caller')).toEqual([]);
    expect(toCodes({ ...openai, request_timeout: 30 }, 'caller')).toEqual([]);
  });
});
