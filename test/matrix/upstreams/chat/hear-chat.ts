import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import type { Heard } from '../../scenario.ts';
import { checkClosed } from '../wire/closed-schema.ts';
import { createHearing } from '../wire/hearing.ts';
import { type Members, members } from '../wire/members.ts';
import { readBody } from '../wire/read-body.ts';
import { refusal } from '../wire/refusal.ts';
import type { ChatVendor } from './chat-vendor.ts';
import { hearMessages, toolTypes } from './hear-messages.ts';

const knownBody = (request: ReceivedRequest, vendor: ChatVendor): Members => {
  const body = readBody(request, vendor.path, 'absent');
  if (vendor.unknown(request) === 'refused') return body.only(vendor.members);
  const kept = body.names.filter((name) => vendor.members.includes(name));
  return members(Object.fromEntries(kept.map((name) => [name, body.value(name)])), '', 'absent');
};

const readModel = (request: ReceivedRequest, body: Members, { path }: ChatVendor): string => {
  const [, deployment] = path.exec(request.path.split('?')[0] ?? '') ?? [];
  return deployment === undefined ? body.text('model') : decodeURIComponent(deployment);
};

const hearTool = (tool: Members, vendor: ChatVendor): Heard['tools'][number] => {
  if (tool.word('type', toolTypes(vendor)) === 'custom') {
    const custom = tool.only(['type', 'custom']).object('custom').only(['name', 'description', 'format']);
    return { name: custom.text('name'), schema: {} };
  }
  tool.only(['type', 'function']);
  const declared = tool.object('function').only(['name', 'description', 'parameters', 'strict']);
  const name = declared.text('name');
  if (!/^[\w-]{1,64}$/.test(name)) throw refusal(`${declared.at}.name`, `is "${name}", which cannot be a name.`);
  const schema: JsonObject = declared.has('parameters') ? declared.json('parameters') : {};
  if (vendor.strictSchemas && declared.has('strict') && declared.flag('strict'))
    checkClosed(schema, `${declared.at}.parameters`, true);
  return { name, schema };
};

const hearTools = (body: Members, vendor: ChatVendor): Heard['tools'] => {
  if (!body.has('tools')) {
    for (const name of ['tool_choice', 'parallel_tool_calls'])
      if (body.has(name)) throw refusal(name, 'is only allowed beside tools.');
    return [];
  }
  const tools = body.list('tools');
  if (tools.length === 0) throw refusal('tools', 'must not be empty.');
  return tools.map((tool) => hearTool(tool, vendor));
};

const hearSchema = (body: Members, vendor: ChatVendor): JsonObject | undefined => {
  if (!body.has('response_format')) return undefined;
  const format = body.object('response_format').only(['type', 'json_schema']);
  if (format.word('type', ['text', 'json_object', 'json_schema']) !== 'json_schema') return undefined;
  const named = format.object('json_schema').only(['name', 'description', 'schema', 'strict']);
  if (!/^[\w-]{1,64}$/.test(named.text('name'))) throw refusal(`${named.at}.name`, 'must be letters, digits, - and _.');
  const schema = named.json('schema');
  if (vendor.strictSchemas && named.has('strict') && named.flag('strict'))
    checkClosed(schema, `${named.at}.schema`, true);
  return schema;
};

/** https://platform.openai.com/docs/guides/reasoning: the limit of reasoning models includes reasoning and has the newer name. */
const hearLimit = (body: Members, model: string): number | undefined => {
  const names = ['max_tokens', 'max_completion_tokens'].filter((name) => body.has(name));
  if (names.length === 2) throw refusal('max_tokens', 'is not allowed beside max_completion_tokens.');
  const [name] = names;
  if (name === undefined) return undefined;
  if (name === 'max_tokens' && /^(?:o\d|gpt-5)/.test(model))
    throw refusal(name, 'is not supported with this model. Use max_completion_tokens.');
  return body.count(name);
};

/** Parses a request as the vendor does. */
export const hearChat = (request: ReceivedRequest, vendor: ChatVendor): Heard => {
  const body = knownBody(request, vendor);
  const hearing = createHearing();
  const model = readModel(request, body, vendor);
  hearMessages(body.list('messages'), vendor, hearing);
  const stream = body.has('stream') && body.flag('stream');
  if (body.has('stream_options') && !stream) throw refusal('stream_options', 'is only allowed with a stream.');
  if (body.has('temperature') && !(body.count('temperature') >= 0 && body.count('temperature') <= 2))
    throw refusal('temperature', 'must be from 0 to 2.');
  const schema = hearSchema(body, vendor);
  const maxTokens = hearLimit(body, model);
  return {
    ...hearing,
    stream,
    model,
    tools: hearTools(body, vendor),
    reasoning: body.has('reasoning_effort') && body.text('reasoning_effort') !== 'none',
    ...(schema === undefined ? {} : { schema }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
};
