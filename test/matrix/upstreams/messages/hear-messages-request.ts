import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import type { Heard } from '../../scenario.ts';
import { checkClosed } from '../wire/closed-schema.ts';
import { createHearing } from '../wire/hearing.ts';
import type { Members } from '../wire/members.ts';
import { readBody } from '../wire/read-body.ts';
import { refusal } from '../wire/refusal.ts';
import { claudeModel } from './claude-models.ts';
import { textBlocks } from './hear-blocks.ts';
import { hearThinking } from './hear-thinking.ts';
import { hearTurns } from './hear-turns.ts';

const known = [
  'cache_control',
  'container',
  'context_management',
  'inference_geo',
  'max_tokens',
  'mcp_servers',
  'messages',
  'metadata',
  'output_config',
  'service_tier',
  'speed',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
];

const onVertex = /\/publishers\/anthropic\/models\/([^/:]+):(rawPredict|streamRawPredict)$/;

/** Whether it was sent to Claude on Vertex AI, where the path contains the model. */
export const isVertex = ({ path }: ReceivedRequest): boolean => onVertex.test(path);

/**
 * On Vertex AI, the body contains the version but not the model.
 * https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai
 */
const readModel = (request: ReceivedRequest): { readonly body: Members; readonly model: string } => {
  const [, name] = onVertex.exec(request.path) ?? [];
  if (name !== undefined) {
    const body = readBody(request, onVertex).only([...known, 'anthropic_version']);
    body.word('anthropic_version', ['vertex-2023-10-16']);
    return { body, model: decodeURIComponent(name) };
  }
  const body = readBody(request, /\/v1\/messages$/).only([...known, 'model']);
  if (request.header('anthropic-version') === undefined) throw refusal('anthropic-version', 'header is required.');
  return { body, model: body.text('model') };
};

const hearTool = (tool: Members): Heard['tools'][number] => {
  tool.only([
    'type',
    'name',
    'description',
    'input_schema',
    'cache_control',
    'strict',
    'input_examples',
    'defer_loading',
    'allowed_callers',
    'eager_input_streaming',
  ]);
  if (tool.has('type')) tool.word('type', ['custom']);
  const name = tool.text('name');
  if (!/^[\w-]{1,128}$/.test(name)) throw refusal(`${tool.at}.name`, `is "${name}", which cannot be a name.`);
  tool.object('input_schema').word('type', ['object']);
  const schema = tool.json('input_schema');
  if (tool.has('strict') && tool.flag('strict')) checkClosed(schema, `${tool.at}.input_schema`, false);
  return { name, schema };
};

const hearTools = (body: Members, hasCalls: boolean): Heard['tools'] => {
  const tools = body.has('tools') ? body.list('tools').map(hearTool) : [];
  if (tools.length === 0 && body.has('tool_choice'))
    throw refusal('tool_choice', 'may only be specified while providing tools.');
  if (tools.length === 0 && hasCalls)
    throw refusal('tools', 'requests which include tool_use or tool_result blocks must define tools.');
  if (body.has('tool_choice')) body.object('tool_choice').word('type', ['auto', 'any', 'tool', 'none']);
  return tools;
};

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
const hearOutput = (body: Members, model: string): JsonObject | undefined => {
  if (!body.has('output_config')) return undefined;
  const output = body.object('output_config').only(['effort', 'format', 'task_budget']);
  if (output.has('effort') && !claudeModel(model).hasEffort)
    throw refusal('output_config.effort', 'this model does not support the effort parameter.');
  if (!output.has('format')) return undefined;
  const format = output.object('format').only(['type', 'schema']);
  format.word('type', ['json_schema']);
  const schema = format.json('schema');
  checkClosed(schema, `${format.at}.schema`, false);
  return schema;
};

const checkSampling = (body: Members): void => {
  if (body.has('temperature') && !(body.count('temperature') >= 0 && body.count('temperature') <= 1))
    throw refusal('temperature', 'must be from 0 to 1.');
  if (body.has('temperature') && body.has('top_p'))
    throw refusal('top_p', 'temperature and top_p cannot both be specified for this model.');
  if (body.has('stop_sequences') && body.texts('stop_sequences').some((text) => text.trim() === ''))
    throw refusal('stop_sequences', 'each stop sequence must contain non-whitespace.');
};

/** Parses a request as Anthropic does: https://docs.anthropic.com/en/api/messages */
export const hearMessagesRequest = (request: ReceivedRequest): Heard => {
  const { body, model } = readModel(request);
  const hearing = createHearing();
  const maxTokens = body.count('max_tokens');
  if (!Number.isInteger(maxTokens) || maxTokens < 1) throw refusal('max_tokens', 'must be at least 1.');
  if (body.has('system')) hearing.system.push(...textBlocks(body, 'system'));
  hearTurns(body.list('messages'), claudeModel(model), hearing);
  checkSampling(body);
  const schema = hearOutput(body, model);
  return {
    ...hearing,
    stream: body.has('stream') && body.flag('stream'),
    model,
    tools: hearTools(body, hearing.calls.length > 0),
    reasoning: hearThinking(body, model),
    maxTokens,
    ...(schema === undefined ? {} : { schema }),
  };
};
