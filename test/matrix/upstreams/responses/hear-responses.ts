import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import type { Heard } from '../../scenario.ts';
import { checkClosed } from '../wire/closed-schema.ts';
import { createHearing } from '../wire/hearing.ts';
import type { Members } from '../wire/members.ts';
import { readBody } from '../wire/read-body.ts';
import { refusal } from '../wire/refusal.ts';
import { hearItems } from './hear-items.ts';

const known = [
  'background',
  // Only Codex sends it: https://github.com/openai/codex/pull/27122
  'client_metadata',
  'context_management',
  'conversation',
  'include',
  'input',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'model',
  'moderation',
  'parallel_tool_calls',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
];

const includable = [
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'message.output_text.logprobs',
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
  'web_search_call.results',
];

/** Functions are strict by default. Without an explicit `strict`, OpenAI closes their schemas itself. */
const hearFunction = (tool: Members): Heard['tools'][number] => {
  tool.only(['type', 'name', 'description', 'parameters', 'strict', 'defer_loading']).word('type', ['function']);
  const name = tool.text('name');
  if (!/^[\w-]{1,64}$/.test(name)) throw refusal(`${tool.at}.name`, `is "${name}", which cannot be a name.`);
  const schema: JsonObject = tool.has('parameters') ? tool.json('parameters') : {};
  if (tool.has('strict') && tool.flag('strict')) checkClosed(schema, `${tool.at}.parameters`, true);
  return { name, schema };
};

/** Functions, functions in namespaces, and OpenAI's own tools: https://platform.openai.com/docs/guides/tools */
const hearTool = (tool: Members): Heard['tools'] => {
  const type = tool.word('type', ['function', 'namespace', 'web_search']);
  if (type === 'function') return [hearFunction(tool)];
  if (type === 'namespace') return tool.only(['type', 'name', 'description', 'tools']).list('tools').map(hearFunction);
  return [];
};

const hearSchema = (body: Members): JsonObject | undefined => {
  if (!body.has('text')) return undefined;
  const text = body.object('text').only(['format', 'verbosity']);
  if (!text.has('format')) return undefined;
  const format = text.object('format').only(['type', 'name', 'description', 'schema', 'strict']);
  if (format.word('type', ['text', 'json_object', 'json_schema']) !== 'json_schema') return undefined;
  if (!/^[\w-]{1,64}$/.test(format.text('name')))
    throw refusal(`${format.at}.name`, 'must be letters, digits, - and _.');
  const schema = format.json('schema');
  if (format.has('strict') && format.flag('strict')) checkClosed(schema, `${format.at}.schema`, true);
  return schema;
};

const hearReasoning = (body: Members): boolean => {
  if (!body.has('reasoning')) return false;
  const reasoning = body.object('reasoning').only(['effort', 'summary', 'generate_summary', 'context', 'mode']);
  if (reasoning.has('summary')) reasoning.word('summary', ['auto', 'concise', 'detailed']);
  const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
  return reasoning.has('effort') ? reasoning.word('effort', efforts) !== 'none' : reasoning.has('summary');
};

const hearLimit = (body: Members): number | undefined => {
  if (!body.has('max_output_tokens')) return undefined;
  const limit = body.count('max_output_tokens');
  if (limit < 16) throw refusal('max_output_tokens', 'is below the minimum value. Expected a value >= 16.');
  return limit;
};

/** Parses a request as OpenAI does: https://platform.openai.com/docs/api-reference/responses/create */
export const hearResponses = (request: ReceivedRequest): Heard => {
  const body = readBody(request, /\/responses$/, 'absent').only(known);
  const hearing = createHearing();
  if (body.has('instructions')) hearing.system.push(body.text('instructions'));
  if (body.isText('input')) hearing.user.push(body.text('input'));
  else hearItems(body.list('input'), hearing);
  if (body.has('include'))
    for (const name of body.texts('include'))
      if (!includable.includes(name)) throw refusal('include', `"${name}" is not supported.`);
  const stream = body.has('stream') && body.flag('stream');
  if (body.has('stream_options') && !stream) throw refusal('stream_options', 'is only allowed with a stream.');
  const schema = hearSchema(body);
  const maxTokens = hearLimit(body);
  return {
    ...hearing,
    stream,
    model: body.text('model'),
    tools: body.has('tools') ? body.list('tools').flatMap(hearTool) : [],
    reasoning: hearReasoning(body),
    ...(schema === undefined ? {} : { schema }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
};
