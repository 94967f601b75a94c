import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import type { Heard } from '../../scenario.ts';
import { createHearing } from '../wire/hearing.ts';
import type { Members } from '../wire/members.ts';
import { readBody } from '../wire/read-body.ts';
import { refusal } from '../wire/refusal.ts';
import { hearMessages } from './hear-messages.ts';

const known = [
  'citation_options',
  'documents',
  'frequency_penalty',
  'k',
  'logprobs',
  'max_tokens',
  'messages',
  'model',
  'p',
  'presence_penalty',
  'priority',
  'response_format',
  'safety_mode',
  'seed',
  'stop_sequences',
  'stream',
  'strict_tools',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
];

const hearTool = (tool: Members): Heard['tools'][number] => {
  tool.only(['type', 'function']).word('type', ['function']);
  const declared = tool.object('function').only(['name', 'description', 'parameters']);
  return { name: declared.text('name'), schema: declared.json('parameters') };
};

/** https://docs.cohere.com/docs/structured-outputs has `schema`, and the reference has `json_schema`. */
const hearSchema = (body: Members): JsonObject | undefined => {
  if (!body.has('response_format')) return undefined;
  const format = body.object('response_format').only(['type', 'json_schema', 'schema']);
  if (format.word('type', ['text', 'json_object']) === 'text') return undefined;
  const name = ['json_schema', 'schema'].find((each) => format.has(each));
  if (name === undefined) return undefined;
  if (body.has('tools')) throw refusal('response_format', 'a schema is not supported with tools.');
  const required = format.object(name).has('required') ? format.object(name).texts('required') : [];
  if (required.length === 0) throw refusal(`response_format.${name}`, 'must have at least one required field.');
  return format.json(name);
};

const hearThinking = (body: Members): boolean => {
  if (!body.has('thinking')) return false;
  const thinking = body.object('thinking').only(['type', 'token_budget']);
  if (thinking.has('token_budget') && thinking.count('token_budget') < 0)
    throw refusal('thinking.token_budget', 'must not be negative.');
  return thinking.word('type', ['enabled', 'disabled']) === 'enabled';
};

const checkRange = (body: Members, name: string, [least, most]: readonly [number, number]): void => {
  if (body.has(name) && !(body.count(name) >= least && body.count(name) <= most))
    throw refusal(name, `must be from ${least} to ${most}.`);
};

/** Parses a request as Cohere does: https://docs.cohere.com/reference/chat */
export const hearCohere = (request: ReceivedRequest): Heard => {
  const body = readBody(request, /^\/v2\/chat$/).only(known);
  const hearing = createHearing();
  hearMessages(body.list('messages'), hearing);
  if (body.has('tool_choice')) body.word('tool_choice', ['REQUIRED', 'NONE']);
  if (body.has('tool_choice') && !body.has('tools')) throw refusal('tool_choice', 'needs tools.');
  checkRange(body, 'temperature', [0, 1]);
  checkRange(body, 'p', [0.01, 0.99]);
  checkRange(body, 'k', [0, 500]);
  const schema = hearSchema(body);
  return {
    ...hearing,
    stream: body.has('stream') && body.flag('stream'),
    model: body.text('model'),
    tools: body.has('tools') ? body.list('tools').map(hearTool) : [],
    reasoning: hearThinking(body),
    ...(schema === undefined ? {} : { schema }),
    ...(body.has('max_tokens') ? { maxTokens: body.count('max_tokens') } : {}),
  };
};
