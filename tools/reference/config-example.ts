import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { codeExamples } from '../../compiler/diagnostics/examples/code-examples.ts';
import type { DiagnosticCode } from '../../compiler/diagnostics/table.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import type { Case } from '../../test/compiler/diagnostics/cases.ts';
import { caseFile, codeCases, compileCase } from '../../test/compiler/diagnostics/compile-case.ts';
import { root } from '../build/package-modules.ts';
import { builtExamples, exampleValue, hasMember, withMember } from './built-example.ts';
import { item, type Member } from './member-tree.ts';

/** A config, and the context in which it is compiled. */
interface Candidate {
  readonly config: JsonObject;
  readonly context: Case;
}

const readConfig = (text: string): readonly JsonObject[] => {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors);
  return errors.length === 0 && isJsonObject(value as Json) ? [value as JsonObject] : [];
};

const size = ({ config }: Candidate): number => JSON.stringify(config).length;

/** Whether a text contains names that only tests have. */
const isOfTests = (text: string): boolean => /"(?:vault|locker|test\.[a-zA-Z]+|acme[\w.]*)"|@gone/.test(text);

/** The valid examples of diagnostics and the examples in the schema's folder, shortest first. */
const corpus: readonly Candidate[] = [
  ...codeCases.flatMap((context) =>
    readConfig(codeExamples[context.code as DiagnosticCode].right.join('\n')).map((config) => ({ config, context })),
  ),
  ...globSync('schema/examples/*.json*', { cwd: root }).flatMap((file) =>
    readConfig(readFileSync(path.join(root, file), 'utf8')).map(({ $schema: _, ...config }) => ({
      config,
      context: {},
    })),
  ),
]
  .filter(({ config }) => !isOfTests(JSON.stringify(config)))
  .sort((a, b) => size(a) - size(b));

const compiles = ({ config, context }: Candidate): boolean => {
  const text = JSON.stringify(config);
  const { diagnostics } = compileCase(context, text, caseFile(context));
  return diagnostics.every(({ severity }) => severity === 'note');
};

const openai: JsonObject = { provider: 'openai', api_key: '${env:OPENAI_API_KEY}' };

const bases: readonly JsonObject[] = [
  openai,
  { provider: 'openai', keys: [{ api_key: '${env:KEY_A}' }, { api_key: '${env:KEY_B}' }] },
  { ...openai, cb_config: { failure_threshold: 5, cooldown_interval: 60000 } },
  { provider: 'openai' },
  { provider: '@openai-prod' },
  {
    provider: 'azure-openai',
    api_key: '${env:AZURE_API_KEY}',
    resource_name: 'my-company',
    deployment_id: 'gpt-4o',
    api_version: '2024-10-21',
  },
  { provider: 'azure-openai', api_key: '${env:AZURE_API_KEY}', resource_name: 'my-company', api_version: '2024-10-21' },
  { provider: 'azure-openai', resource_name: 'my-company', deployment_id: 'gpt-4o', api_version: '2024-10-21' },
  { provider: 'azure-openai', api_key: '${env:AZURE_API_KEY}' },
  {
    provider: 'azure-openai',
    api_key: '${env:AZURE_API_KEY}',
    clouda_resource_name: 'my-company',
    clouda_deployment_id: 'gpt-4o',
    clouda_api_version: '2024-10-21',
  },
  {
    provider: 'azure-ai',
    api_key: '${env:AZURE_API_KEY}',
    clouda_deployment_type: 'serverless',
    clouda_deployment_name: 'llama-3',
    clouda_region: 'eastus',
  },
  {
    provider: 'azure-ai',
    api_key: '${env:AZURE_API_KEY}',
    clouda_deployment_type: 'managed',
    clouda_endpoint_name: 'my-endpoint',
    clouda_region: 'eastus',
  },
  {
    provider: 'bedrock',
    cloudc_access_key_id: '${env:AWS_ACCESS_KEY_ID}',
    cloudc_secret_access_key: '${env:AWS_SECRET_ACCESS_KEY}',
    cloudc_region: 'us-east-1',
  },
  {
    provider: 'vertex-ai',
    api_key: '${env:VERTEX_TOKEN}',
    cloudb_project_id: 'my-project',
    cloudb_region: 'europe-west4',
  },
  { provider: 'vertex-ai', cloudb_region: 'europe-west4' },
  {},
  {
    strategy: { mode: 'fallback' },
    cb_config: { failure_threshold: 5, cooldown_interval: 60000 },
    targets: [{ provider: '@openai-prod' }, { provider: '@azure-prod' }],
  },
  { strategy: { mode: 'loadbalance' }, targets: [{ provider: '@openai-prod' }, { provider: '@azure-prod' }] },
  { strategy: { mode: 'fallback' }, targets: [{ provider: '@openai-prod' }, { provider: '@azure-prod' }] },
];

/** A caller's own config may bring a credential. */
const contexts: readonly Case[] = [{}, { trust: 'caller' }];

/** Complete configs from which further ones are created. */
const further: readonly Candidate[] = [
  {
    config: {
      ...openai,
      after_request_hooks: [
        { id: 'polite', checks: [{ id: 'default.contains', parameters: { words: ['password'], operator: 'none' } }] },
      ],
    },
    context: {},
  },
  {
    config: {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'metadata.tier': 'gold' }, then: 'careful' }],
        default: 'fast',
      },
      targets: [
        { name: 'fast', provider: '@openai-prod' },
        { name: 'careful', provider: '@azure-prod' },
      ],
    },
    context: { virtualModels: { quick: 'config:prod' } },
  },
];

/** Returns the schema's own examples inside configs in which they can occur. */
const inBases = (member: Member, schema: JsonObject): readonly Candidate[] =>
  builtExamples(member, schema)
    .filter(isJsonObject)
    .flatMap((part) =>
      bases
        .filter((base) => Object.keys(part).every((key) => base[key] === undefined))
        .flatMap((base) => contexts.map((context) => ({ config: { ...base, ...part }, context }))),
    );

/** Returns configs that have the container of the member, with the member added. */
const inOthers = ({ keys, schema: own }: Member, schema: JsonObject): readonly Candidate[] => {
  const value = exampleValue(own, schema);
  const around = keys.map((_, depth) => keys.slice(0, depth)).filter((each) => each.length > 0);
  return [...corpus, ...further]
    .filter(({ config }) => around.some((each) => hasMember(config, each)))
    .flatMap(({ config, context }) => {
      const changed = withMember(schema, schema, { at: config, keys, value });
      return isJsonObject(changed) ? [{ config: changed, context }] : [];
    });
};

const candidates = (member: Member, schema: JsonObject): readonly Candidate[] =>
  [
    ...corpus.filter(
      ({ config }) => hasMember(config, member.keys) || hasMember(config, ['targets', item, ...member.keys]),
    ),
    ...inBases(member, schema),
    ...inOthers(member, schema),
  ].sort((a, b) => size(a) - size(b));

/**
 * Returns a config with a member that compiles without errors and warnings. Throws if the sources have none: add one to the
 * schema's `examples`.
 */
export const configExample = (member: Member, schema: JsonObject): Candidate => {
  const found = candidates(member, schema).find(compiles);
  if (found !== undefined) return found;
  throw new Error(`No example of ${member.path} compiles: add one to "examples" of schema/config.schema.json.`);
};
