import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import type { Heard } from '../../scenario.ts';
import { callArguments } from '../wire/call-arguments.ts';
import { checkClosed } from '../wire/closed-schema.ts';
import { createHearing } from '../wire/hearing.ts';
import { type Members, onlyMember } from '../wire/members.ts';
import { readBody } from '../wire/read-body.ts';
import { refusal } from '../wire/refusal.ts';
import { hearTurns } from './hear-turns.ts';

const path = /^\/model\/([^/]+)\/converse(-stream)?$/;

const known = [
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'guardrailConfig',
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'promptVariables',
  'requestMetadata',
  'performanceConfig',
  'serviceTier',
  'outputConfig',
];

const hearSystem = (body: Members): readonly string[] => {
  if (!body.has('system')) return [];
  return body.list('system').flatMap((block) => {
    if (onlyMember(block, ['text', 'guardContent', 'cachePoint']) !== 'text') return [];
    if (block.text('text') === '') throw refusal(block.at, 'must have at least one character.');
    return [block.text('text')];
  });
};

const hearTools = (body: Members, hasCalls: boolean): Heard['tools'] => {
  if (!body.has('toolConfig')) {
    if (hasCalls) throw refusal('toolConfig', 'must be defined when using toolUse and toolResult content blocks.');
    return [];
  }
  const config = body.object('toolConfig').only(['tools', 'toolChoice']);
  if (config.has('toolChoice')) onlyMember(config.object('toolChoice'), ['auto', 'any', 'tool']);
  const tools = config.list('tools');
  if (tools.length === 0) throw refusal('toolConfig.tools', 'must have at least one tool.');
  return tools.flatMap((tool) => {
    if (onlyMember(tool, ['toolSpec', 'systemTool', 'cachePoint']) !== 'toolSpec') return [];
    const spec = tool.object('toolSpec').only(['name', 'description', 'inputSchema', 'strict']);
    const name = spec.text('name');
    if (!/^[\w-]{1,64}$/.test(name))
      throw refusal(`${spec.at}.name`, `is "${name}". It must match [a-zA-Z0-9_-]{1,64}.`);
    if (spec.has('description') && spec.text('description') === '')
      throw refusal(`${spec.at}.description`, 'must have at least one character.');
    const input = spec.object('inputSchema').only(['json']);
    input.object('json').word('type', ['object']);
    return [{ name, schema: input.json('json') }];
  });
};

/** Fields for the model are passed on to it, so they may include Claude's own `output_config`. */
const hearOwnSchema = (body: Members): JsonObject | undefined => {
  if (!body.has('additionalModelRequestFields')) return undefined;
  const fields = body.object('additionalModelRequestFields');
  if (!fields.has('output_config') || !fields.object('output_config').has('format')) return undefined;
  const format = fields.object('output_config').object('format').only(['type', 'schema']);
  checkClosed(format.json('schema'), `${format.at}.schema`, false);
  return format.json('schema');
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html: the schema is JSON text. */
const hearSchema = (body: Members): JsonObject | undefined => {
  if (!body.has('outputConfig')) return hearOwnSchema(body);
  const config = body.object('outputConfig').only(['textFormat', 'effort']);
  if (!config.has('textFormat')) return undefined;
  const format = config.object('textFormat').only(['type', 'structure']);
  format.word('type', ['json_schema']);
  const structure = format.object('structure').only(['jsonSchema']);
  const named = structure.object('jsonSchema').only(['schema', 'name', 'description']);
  const schema = callArguments(named.text('schema'), `${named.at}.schema`);
  checkClosed(schema, `${named.at}.schema`, false);
  return schema;
};

/**
 * The models of each maker have their own member: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-reasoning.html
 */
const hearReasoning = (body: Members, limit: number | undefined): boolean => {
  if (!body.has('additionalModelRequestFields')) return false;
  const fields = body.json('additionalModelRequestFields');
  const { thinking, reasoning_config: older, reasoningConfig: nova, reasoning_effort: effort } = fields;
  const config = [thinking, older, nova].find(isJsonObject);
  if (config === undefined) return typeof effort === 'string' && effort !== 'none';
  const { budget_tokens: budget } = config;
  if (typeof budget === 'number' && (budget < 1024 || (limit !== undefined && budget >= limit)))
    throw refusal(
      'additionalModelRequestFields.thinking',
      '`max_tokens` must be greater than `thinking.budget_tokens`, which is at least 1024.',
    );
  return config.type === 'enabled' || config.type === 'adaptive';
};

/** Parses a request as Amazon Bedrock does: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const hearConverse = (request: ReceivedRequest): Heard => {
  const [, model, streaming] = path.exec(request.path) ?? [];
  if (model === undefined) throw refusal(request.path, 'is not the path of a conversation.');
  const body = readBody(request, path).only(known);
  const hearing = createHearing();
  hearTurns(body.list('messages'), hearing);
  const inference = body.has('inferenceConfig')
    ? body.object('inferenceConfig').only(['maxTokens', 'temperature', 'topP', 'stopSequences'])
    : undefined;
  const maxTokens = inference?.has('maxTokens') === true ? inference.count('maxTokens') : undefined;
  if (inference?.has('temperature') === true && !(inference.count('temperature') <= 1))
    throw refusal('inferenceConfig.temperature', 'must be from 0 to 1.');
  const schema = hearSchema(body);
  return {
    ...hearing,
    stream: streaming !== undefined,
    model: decodeURIComponent(model),
    system: hearSystem(body),
    tools: hearTools(body, hearing.calls.length > 0),
    reasoning: hearReasoning(body, maxTokens),
    ...(schema === undefined ? {} : { schema }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
};
