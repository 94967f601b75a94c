import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { isAbsent, require, toCount, toList, toName, toObject, toText } from './require.ts';

const requireUsage = (value: Json | undefined): void => {
  const usage = toObject(value, 'usage');
  toCount(usage.input_tokens, 'input_tokens');
  toCount(usage.output_tokens, 'output_tokens');
  for (const name of ['cache_read_input_tokens', 'cache_creation_input_tokens'])
    if (!isAbsent(usage[name])) toCount(usage[name], name);
};

const requireBlock = (value: Json | undefined): JsonObject => {
  const block = toObject(value, 'a block');
  const type = toName(block.type, 'the type of a block');
  if (type === 'text') toText(block.text, 'the text of a block');
  if (type === 'thinking') {
    toText(block.thinking, 'the thinking of a block');
    toText(block.signature, 'the signature of a block');
  }
  if (type === 'tool_use') {
    toName(block.id, 'the id of a call');
    toName(block.name, 'the name of a call');
    toObject(block.input, 'the input of a call');
  }
  return block;
};

/** Throws unless an answer has what https://docs.anthropic.com/en/api/messages requires. */
export const requireMessage = (body: JsonObject): void => {
  toName(body.id, 'id');
  require(body.type === 'message' && body.role === 'assistant', 'type or role is another.');
  toText(body.model, 'model');
  toName(body.stop_reason, 'stop_reason');
  requireUsage(body.usage);
  for (const block of toList(body.content, 'content')) requireBlock(block);
};

/** The delta of each type of block. */
const deltas: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
};

/** The blocks of a stream, of which one is open at a time. */
class Blocks {
  #count = 0;
  #open: JsonObject | undefined;

  start(event: JsonObject): void {
    require(this.#open === undefined, 'a block starts before the last one stops.');
    require(event.index === this.#count, `the index of a block is ${JSON.stringify(event.index)}.`);
    this.#open = requireBlock(event.content_block);
  }

  delta(event: JsonObject): void {
    require(this.#open !== undefined && event.index === this.#count, 'a delta is not of the open block.');
    const delta = toObject(event.delta, 'delta');
    const allowed = deltas[String(this.#open.type)] ?? [];
    require(allowed.includes(String(delta.type)), `a ${this.#open.type} has a ${String(delta.type)}.`);
    if (delta.type === 'input_json_delta') toText(delta.partial_json, 'partial_json');
  }

  stop(event: JsonObject): void {
    require(this.#open !== undefined && event.index === this.#count, 'a block stops that is not open.');
    this.#open = undefined;
    this.#count += 1;
  }

  requireClosed(): void {
    require(this.#open === undefined, 'a block does not stop.');
  }
}

/** Throws unless the frames are a whole stream of https://docs.anthropic.com/en/docs/build-with-claude/streaming. */
export const requireMessageStream = (frames: readonly Frame[]): void => {
  const blocks = new Blocks();
  const order: string[] = [];
  for (const { event = '', data } of frames) {
    const body = toObject(JSON.parse(data) as Json, 'an event');
    require(body.type === event, `the event ${event} has the type ${JSON.stringify(body.type)}.`);
    if (event === 'ping') continue;
    if (event === 'content_block_start') blocks.start(body);
    else if (event === 'content_block_delta') blocks.delta(body);
    else if (event === 'content_block_stop') blocks.stop(body);
    else {
      order.push(event);
      if (event === 'message_delta') {
        blocks.requireClosed();
        toName(toObject(body.delta, 'delta').stop_reason, 'stop_reason');
        toCount(toObject(body.usage, 'usage').output_tokens, 'output_tokens');
      }
      if (event === 'message_start') {
        const message = toObject(body.message, 'message');
        toName(message.id, 'id');
        toList(message.content, 'content');
        requireUsage(message.usage);
      }
      continue;
    }
    require(order.length === 1, 'a block is not between the start and the end of the message.');
  }
  require(order.join() === 'message_start,message_delta,message_stop', `the events are ${order.join()}.`);
  require(frames.at(-1)?.event === 'message_stop', 'something follows the end.');
};
