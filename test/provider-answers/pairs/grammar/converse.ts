import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { require, toCount, toList, toName, toObject, toText } from './require.ts';

const requireUsage = (value: Json | undefined): void => {
  const usage = toObject(value, 'usage');
  for (const name of ['inputTokens', 'outputTokens', 'totalTokens']) toCount(usage[name], name);
};

const requireCall = (value: Json | undefined): void => {
  const call = toObject(value, 'toolUse');
  toName(call.name, 'the name of a call');
  toName(call.toolUseId, 'toolUseId');
};

/** Throws unless an answer has what https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html requires. */
export const requireConverse = (body: JsonObject): void => {
  toName(body.stopReason, 'stopReason');
  requireUsage(body.usage);
  toObject(body.metrics, 'metrics');
  const message = toObject(toObject(body.output, 'output').message, 'message');
  require(message.role === 'assistant', 'the role is another.');
  for (const each of toList(message.content, 'content')) {
    const block = toObject(each, 'a block');
    require(Object.keys(block).length === 1, 'a block has several members.');
    if (block.text !== undefined) toText(block.text, 'a text');
    if (block.toolUse === undefined) continue;
    require(toObject(block.toolUse, 'toolUse').input !== undefined, 'a call has no input.');
    requireCall(block.toolUse);
  }
};

/** Checks an event that belongs to no block. */
const requireMember = (event: string, body: JsonObject): void => {
  if (event === 'messageStart') require(body.role === 'assistant', 'the role is another.');
  if (event === 'messageStop') toName(body.stopReason, 'stopReason');
  if (event === 'metadata') {
    requireUsage(body.usage);
    toObject(body.metrics, 'metrics');
  }
};

/** Throws unless the frames are a whole stream of ConverseStream. */
export const requireConverseStream = (frames: readonly Frame[]): void => {
  const order: string[] = [];
  const stopped = new Set<number>();
  const started = new Map<number, string>();
  for (const { event = '', data } of frames) {
    const body = toObject(JSON.parse(data) as Json, 'an event');
    if (!event.startsWith('contentBlock')) {
      order.push(event);
      requireMember(event, body);
      continue;
    }
    require(order.join() === 'messageStart', `${event} is not between the start and the end.`);
    const at = toCount(body.contentBlockIndex, 'contentBlockIndex');
    require(!stopped.has(at), 'a block goes on after its end.');
    require(at <= started.size, 'the indices of blocks skip.');
    if (event === 'contentBlockStop') {
      require(started.has(at), 'a block stops that has not begun.');
      stopped.add(at);
    } else if (event === 'contentBlockStart') {
      require(!started.has(at), 'a block starts twice.');
      const start = toObject(body.start, 'start');
      started.set(at, Object.keys(start)[0] ?? '');
      if (start.toolUse !== undefined) requireCall(start.toolUse);
    } else {
      const [kind = ''] = Object.keys(toObject(body.delta, 'delta'));
      const before = started.get(at);
      require(kind !== 'toolUse' || before === 'toolUse', 'a call has no start.');
      require(before === undefined || before === kind || kind === 'citation', `a block of ${before} has a ${kind}.`);
      if (before === undefined) started.set(at, kind);
    }
  }
  require(stopped.size === started.size, 'a block does not stop.');
  require(/^messageStart,messageStop(?:,metadata)?$/.test(order.join()), `the events are ${order.join()}.`);
};
