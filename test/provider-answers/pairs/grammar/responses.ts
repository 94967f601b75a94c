import { isDeepStrictEqual } from 'node:util';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { isAbsent, require, requireOneOf, toCount, toList, toName, toObject, toText } from './require.ts';

const requireItem = (value: Json | undefined): JsonObject => {
  const item = toObject(value, 'an item');
  toName(item.id, 'the id of an item');
  const type = toName(item.type, 'the type of an item');
  if (type === 'message') {
    require(item.role === 'assistant', 'the role is another.');
    for (const each of toList(item.content, 'content')) {
      const part = toObject(each, 'a part');
      if (part.type === 'output_text') {
        toText(part.text, 'a text');
        toList(part.annotations, 'annotations');
      } else if (part.type === 'refusal') toText(part.refusal, 'a refusal');
      else toName(part.type, 'the type of a part');
    }
  }
  if (type === 'function_call') {
    toName(item.call_id, 'call_id');
    toName(item.name, 'the name of a call');
    toText(item.arguments, 'the arguments of a call');
  }
  if (type === 'reasoning') toList(item.summary, 'summary');
  return item;
};

/** Throws unless an answer has what https://platform.openai.com/docs/api-reference/responses/object requires. */
export const requireResponse = (body: JsonObject): void => {
  toName(body.id, 'id');
  require(body.object === 'response', 'object is another.');
  toCount(body.created_at, 'created_at');
  toText(body.model, 'model');
  requireOneOf(body.status, ['completed', 'incomplete', 'failed'], 'status');
  const items = toList(body.output, 'output').map(requireItem);
  const ids = items.map(({ id }) => id);
  require(new Set(ids).size === ids.length, 'two items have the same id.');
  if (isAbsent(body.usage)) return;
  const usage = toObject(body.usage, 'usage');
  for (const name of ['input_tokens', 'output_tokens', 'total_tokens']) toCount(usage[name], name);
};

const withoutAnnotations = (item: Json): Json =>
  isJsonObject(item) && Array.isArray(item.content)
    ? { ...item, content: item.content.map((part) => (isJsonObject(part) ? { ...part, annotations: [] } : part)) }
    : item;

/** The items of a stream: which are begun, and which are done. */
class Items {
  readonly #begun: JsonObject[] = [];
  readonly #done = new Map<number, JsonObject>();
  readonly #texts = new Map<string, string>();

  added(event: JsonObject): void {
    require(event.output_index === this.#begun.length, 'the indices of items skip.');
    const item = toObject(event.item, 'an item');
    toName(item.id, 'the id of an item');
    this.#begun.push(item);
  }

  /** An event of an open item. */
  inside(event: JsonObject): void {
    const at = toCount(event.output_index, 'output_index');
    require(this.#begun[at]?.id === event.item_id, 'an event has the id of another item.');
    const type = toName(event.type, 'the type of an event');
    // A provider may name its sources after all texts.
    if (type === 'response.output_text.annotation.added') return;
    require(!this.#done.has(at), 'an event follows the end of its item.');
    const place = `${at} ${event.content_index ?? event.summary_index ?? ''} ${type.replace(/\.(?:delta|done)$/, '')}`;
    if (type.endsWith('.delta') && typeof event.delta === 'string')
      this.#texts.set(place, (this.#texts.get(place) ?? '') + event.delta);
    const whole = event.text ?? event.arguments ?? event.refusal ?? event.input;
    if (type.endsWith('.done') && typeof whole === 'string')
      require(whole === (this.#texts.get(place) ?? ''), `${type} has another text than its deltas.`);
  }

  done(event: JsonObject): void {
    const at = toCount(event.output_index, 'output_index');
    const item = requireItem(event.item);
    require(this.#begun[at]?.id === item.id && !this.#done.has(at), 'an item is done that is not open.');
    this.#done.set(at, item);
  }

  requireOutput(response: JsonObject): void {
    require(this.#done.size === this.#begun.length, 'an item is not done.');
    const items = [...this.#done].toSorted(([one], [other]) => one - other).map(([, item]) => item);
    const output = toList(response.output, 'output').map(withoutAnnotations);
    require(isDeepStrictEqual(output, items.map(withoutAnnotations)), 'the output differs from the items.');
  }
}

/** Throws unless the frames are a whole stream of https://platform.openai.com/docs/api-reference/responses-streaming. */
export const requireResponseStream = (frames: readonly Frame[]): void => {
  const items = new Items();
  const last = frames.length - 1;
  for (const [at, { event = '', data }] of frames.entries()) {
    const body = toObject(JSON.parse(data) as Json, 'an event');
    require(body.type === event, `the event ${event} has the type ${JSON.stringify(body.type)}.`);
    require(body.sequence_number === at, `sequence_number is ${JSON.stringify(body.sequence_number)}, not ${at}.`);
    require((event === 'response.created') === (at === 0), 'response.created is not the first event.');
    if (event === 'response.output_item.added') items.added(body);
    else if (event === 'response.output_item.done') items.done(body);
    else if (body.item_id !== undefined) items.inside(body);
    if (at !== last) continue;
    requireOneOf(event, ['response.completed', 'response.incomplete'], 'the last event');
    const response = toObject(body.response, 'response');
    requireResponse(response);
    items.requireOutput(response);
  }
};
