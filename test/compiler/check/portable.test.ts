import { describe, expect, it } from 'vitest';
import { beyondFormat, beyondQueries } from '../../../compiler/check/beyond-format.ts';
import { compile } from '../../../compiler/compile.ts';
import schema from '../../../schema/config.schema.json' with { type: 'json' };
import { configKeys } from '../../../schema/generated/config-keys.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { testCatalogue } from '../../support/plans/catalogue.ts';
import { configExamples } from '../../support/plans/config-examples.ts';

const hook = ['id', 'type', 'on_fail', 'on_success', 'checks'];
const outcome = ['deny', 'feedback'];
const feedback = ['value', 'weight', 'metadata'];

/** The members of the format as other gateways know it, by their places in a config or a target. */
const format: { readonly [place: string]: readonly string[] } = {
  '': [
    ...['name', 'strict_llmv_compliance', 'provider', 'api_key', 'virtual_key', 'prompt_id', 'request_timeout'],
    ...['weight', 'on_status_codes', 'custom_host', 'forward_headers', 'targets', 'override_params', 'strategy'],
    ...['cache', 'retry', 'cb_config', 'before_request_hooks', 'after_request_hooks', 'input_guardrails'],
    ...['output_guardrails', 'resource_name', 'deployment_id', 'api_version', 'deployments', 'llmv_organization'],
    ...['llmv_project', 'cloudc_access_key_id', 'cloudc_secret_access_key', 'cloudc_region', 'cloudc_session_token'],
    ...['cloudb_project_id', 'cloudb_region', 'cloudb_service_account_json', 'clouda_region'],
    ...['clouda_deployment_name', 'clouda_deployment_type', 'clouda_endpoint_name', 'clouda_api_version'],
    ...['clouda_resource_name', 'clouda_deployment_id', 'clouda_model_name', 'Authorization'],
  ],
  '/strategy': ['mode', 'conditions', 'default', 'on_status_codes'],
  '/strategy/conditions/*': ['query', 'then'],
  '/cache': ['mode', 'max_age'],
  '/retry': ['attempts', 'on_status_codes', 'use_retry_after_headers'],
  '/cb_config': ['failure_threshold', 'cooldown_interval', 'failure_status_codes'],
  '/before_request_hooks/*': hook,
  '/after_request_hooks/*': [...hook, 'async'],
  '/before_request_hooks/*/checks/*': ['id', 'parameters'],
  '/after_request_hooks/*/checks/*': ['id', 'parameters'],
  ...Object.fromEntries(
    ['before_request_hooks', 'after_request_hooks', 'input_guardrails', 'output_guardrails'].flatMap((list) =>
      ['on_fail', 'on_success'].flatMap((result) => [
        [`/${list}/*/${result}`, outcome],
        [`/${list}/*/${result}/feedback`, feedback],
      ]),
    ),
  ),
  '/deployments/*': ['deployment_id', 'alias', 'api_version', 'is_default'],
};

const formatQueries = [
  ...['$and', '$or', 'url.pathname'],
  ...['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$regex'],
];

/** Returns whether a place is below a member that only this gateway has. */
const isBeyond = (place: string): boolean =>
  Object.keys(beyondFormat).some((member) => place === member || place.startsWith(`${member}/`));

const unlisted = Object.entries(configKeys)
  .filter(([place]) => !isBeyond(place))
  .flatMap(([place, members]) =>
    members
      .filter((member) => format[place]?.includes(member) !== true && !isBeyond(`${place}/${member}`))
      .map((member) => `${place}/${member}`),
  );

const { query, operators } = schema.definitions;
const queryMembers = [...Object.keys(query.properties), ...Object.keys(operators.properties)];

const found = (config: JsonObject, options: { readonly portable?: boolean } = { portable: true }) =>
  compile(JSON.stringify(config), { trust: 'operator', catalogue: testCatalogue, ...options })
    .diagnostics.filter(({ code }) => code === 'not-portable')
    .map(({ pointer }) => pointer);

const target = { provider: '@openai-prod', name: 'a' };

describe('gw check --portable', () => {
  it('classifies every member of a config as known or unknown to other gateways', () => {
    expect(
      unlisted,
      'Each of these is in neither list: add it to compiler/check/beyond-format.ts, with what a config for other gateways has in its place.',
    ).toEqual([]);
    const beyond = Object.keys(beyondQueries);
    expect(
      queryMembers.filter((member) => !formatQueries.includes(member) && !beyond.includes(member)),
      'Each of these members of queries is in neither list: add it to compiler/check/beyond-format.ts.',
    ).toEqual([]);
    expect(queryMembers.filter((member) => formatQueries.includes(member) && beyond.includes(member))).toEqual([]);
  });

  const members = Object.keys(beyondFormat).filter((place) => {
    const at = place.lastIndexOf('/');
    return configKeys[place.slice(0, at)]?.includes(place.slice(at + 1)) === true;
  });

  it.each(members)('reports %s', (place) => {
    const name = place.slice(place.lastIndexOf('/') + 1);
    const isOfStrategy = place.startsWith('/strategy/');
    const [example] = configExamples(name, isOfStrategy ? 'strategy' : undefined);
    if (example === undefined) throw new Error(`The schema has no example of ${place}.`);
    const mode = name === 'balance' || name === 'sticky' ? 'loadbalance' : 'fallback';
    const strategy = { mode, ...(isOfStrategy ? { [name]: example } : {}) };
    const root = isOfStrategy ? {} : { [name]: example };
    const config = { ...root, strategy, targets: [target, { ...target, name: 'b' }] };
    expect(found(config)).toContain(place);
    expect(found(config, {})).toEqual([]);
  });

  it('reports operators and facts of queries at any depth', () => {
    const asked = { 'params.messages': { $elemMatch: { content: { $not: { $in: ['a'] } } } }, 'plan.model': 'b' };
    const config = {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { $or: [asked, { 'metadata.a': { $exists: true } }] }, then: 'a' }],
        default: 'a',
      },
      targets: [target],
    };
    const at = '/strategy/conditions/0/query/$or';
    expect(found(config)).toEqual([
      `${at}/0/params.messages/$elemMatch`,
      `${at}/0/params.messages/$elemMatch/content/$not`,
      `${at}/0/plan.model`,
      `${at}/1/metadata.a/$exists`,
    ]);
  });

  it('reports what others read differently: deep paths, and conditions next to a list of queries', () => {
    const conditions = [
      { 'params.metadata.team': 'a', 'params.model': 'b', 'metadata.tier': 'c' },
      { 'metadata.tier': 'a', $or: [{ 'metadata.a': 1 }, { 'metadata.b': 1 }] },
      { $and: [{ 'metadata.a': 1 }, { $or: [{ 'params.a.b': 1 }] }] },
    ].map((each) => ({ query: each, then: 'a' }));
    const config = { strategy: { mode: 'conditional', conditions, default: 'a' }, targets: [target] };
    const at = '/strategy/conditions';
    expect(found(config)).toEqual([
      `${at}/0/query/params.metadata.team`,
      `${at}/1/query/$or`,
      `${at}/2/query/$and/1/$or/0/params.a.b`,
    ]);
  });

  it('reports members of targets, and targets that are only a model', () => {
    const inner = {
      strategy: { mode: 'loadbalance', balance: 'latency' },
      targets: [target, { ...target, name: 'b' }],
    };
    const config = {
      strategy: { mode: 'fallback' },
      targets: [inner, { override_params: { model: '@openai-prod/gpt-4o' } }],
    };
    expect(found(config)).toEqual(['/targets/0/strategy/balance', '/targets/1/override_params/model']);
  });

  it('reports no parameters of requests, whatever their names', () => {
    expect(found({ ...target, override_params: { mirror: 1, $exists: true, strategy: { balance: 'x' } } })).toEqual([]);
  });
});
