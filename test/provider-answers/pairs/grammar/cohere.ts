import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { isAbsent, require, toCount, toList, toName, toObject, toText } from './require.ts';

const requireCall = (value: Json): void => {
  const call = toObject(value, 'a call');
  const made = toObject(call.function, 'the function of a call');
  toName(made.name, 'the name of a call');
  toText(made.arguments, 'the arguments of a call');
  toName(call.id, 'the id of a call');
};

const requireUsage = (value: Json | undefined): void => {
  if (isAbsent(value)) return;
  const { tokens } = toObject(value, 'usage');
  if (isAbsent(tokens)) return;
  const counts = toObject(tokens, 'tokens');
  for (const name of ['input_tokens', 'output_tokens']) if (counts[name] !== undefined) toCount(counts[name], name);
};

/** Throws unless an answer has what https://docs.cohere.com/reference/chat requires. */
export const requireCohere = (body: JsonObject): void => {
  toName(body.id, 'id');
  toName(body.finish_reason, 'finish_reason');
  requireUsage(body.usage);
  const message = toObject(body.message, 'message');
  require(message.role === 'assistant', 'the role is another.');
  if (message.content !== undefined)
    for (const each of toList(message.content, 'content')) {
      const part = toObject(each, 'a part');
      if (part.type === 'text') toText(part.text, 'a text');
    }
  if (message.tool_calls === undefined) return;
  for (const call of toList(message.tool_calls, 'tool_calls')) requireCall(call);
};

/** Throws unless the frames are a whole stream of https://docs.cohere.com/v2/docs/streaming. */
export const requireCohereStream = (frames: readonly Frame[]): void => {
  const open = new Set<string>();
  const begun = new Set<string>();
  for (const [at, { event = '', data }] of frames.entries()) {
    const body = toObject(JSON.parse(data) as Json, 'an event');
    require(body.type === event, `the event ${event} has the type ${JSON.stringify(body.type)}.`);
    require((event === 'message-start') === (at === 0), 'message-start is not the first event.');
    require((event === 'message-end') === (at === frames.length - 1), 'message-end is not the last event.');
    const delta = body.delta === undefined ? {} : toObject(body.delta, 'delta');
    if (event === 'message-end') {
      toName(delta.finish_reason, 'finish_reason');
      requireUsage(delta.usage);
    }
    const [, kind = '', step = ''] = /^(content|tool-call|citation)-(start|delta|end)$/.exec(event) ?? [];
    if (kind === '') continue;
    const place = `${kind} ${toCount(body.index, 'index')}`;
    if (step === 'start') {
      require(!begun.has(place), 'a block starts twice.');
      begun.add(place);
      open.add(place);
      if (kind !== 'tool-call') continue;
      requireCall(toObject(delta.message, 'message').tool_calls ?? null);
      // A provider may send log probabilities after all texts.
    } else if (body.logprobs === undefined) require(open.has(place), `${event} is of no open block.`);
    if (step === 'end') open.delete(place);
  }
  require(open.size === 0, 'a block does not end.');
};
