import type { Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type Provider, pieces, type Said, toArguments, withNoise } from './script.ts';

type Event = readonly [type: string, more?: JsonObject];

interface Item {
  /** The item as it starts. */
  readonly open: JsonObject;
  readonly events: readonly Event[];
  readonly whole: JsonObject;
}

const page = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0 };

const toMessage = (id: string, said: Said): Item => {
  const { kind, text } = said;
  const isRefusal = kind === 'refusal';
  const annotations = kind === 'cited' ? [{ ...page, end_index: text.length }] : [];
  const [name, empty, part] = isRefusal
    ? ['refusal', { type: 'refusal', refusal: '' }, { type: 'refusal', refusal: text }]
    : ['output_text', { type: 'output_text', text: '', annotations: [] }, { type: 'output_text', text, annotations }];
  const at = { content_index: 0 };
  const whole = { type: 'message', id, role: 'assistant', status: 'completed', content: [part] };
  return {
    open: { ...whole, status: 'in_progress', content: [] },
    events: [
      ['content_part.added', { ...at, part: empty }],
      ...pieces(said).map((delta): Event => [`${name}.delta`, { ...at, delta }]),
      ...annotations.map((annotation): Event => ['output_text.annotation.added', { ...at, annotation }]),
      [`${name}.done`, { ...at, [isRefusal ? 'refusal' : 'text']: text }],
      ['content_part.done', { ...at, part }],
    ],
    whole,
  };
};

const toReasoning = (id: string, said: Said): Item => {
  const texts = said.kind === 'two summaries' ? [said.text, 'More.'] : [said.text];
  const summary = texts.map((text) => ({ type: 'summary_text', text }));
  return {
    open: { type: 'reasoning', id, summary: [] },
    events: texts.flatMap((text, summary_index): readonly Event[] => [
      ['reasoning_summary_part.added', { summary_index, part: { type: 'summary_text', text: '' } }],
      ...pieces({ ...said, text }).map((delta): Event => ['reasoning_summary_text.delta', { summary_index, delta }]),
      ['reasoning_summary_text.done', { summary_index, text }],
      ['reasoning_summary_part.done', { summary_index, part: { type: 'summary_text', text } }],
    ]),
    whole: { type: 'reasoning', id, summary },
  };
};

const toCall = (id: string, said: Said): Item => {
  const isCustom = said.kind === 'custom';
  const [type, member, name] = isCustom
    ? ['custom_tool_call', 'input', 'custom_tool_call_input']
    : ['function_call', 'arguments', 'function_call_arguments'];
  const text = isCustom ? said.text : toArguments(said);
  const whole = { type, id, call_id: `call_${id}`, name: isCustom ? 'g' : 'f', [member]: text, status: 'completed' };
  return {
    open: { ...whole, [member]: '', status: 'in_progress' },
    events: [
      ...pieces({ ...said, text }).map((delta): Event => [`${name}.delta`, { delta }]),
      [`${name}.done`, { [member]: text }],
    ],
    whole,
  };
};

const toItem = (said: Said, at: number): Item => {
  const id = `item_${at}`;
  switch (said.kind) {
    case 'thinking':
    case 'two summaries':
      return toReasoning(id, said);
    case 'call':
    case 'custom':
      return toCall(id, said);
    case 'search': {
      const action = { type: 'search', query: said.text };
      const whole = { type: 'web_search_call', id, status: 'completed', action };
      return { open: { ...whole, status: 'in_progress' }, events: [['web_search_call.searching']], whole };
    }
    default:
      return toMessage(id, said);
  }
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const responsesProvider: Provider = {
  kinds: ['text', 'cited', 'refusal', 'thinking', 'two summaries', 'call', 'custom', 'search'],
  write(script) {
    let sequence_number = 0;
    const event = (name: string, more: JsonObject = {}): Frame => {
      const type = `response.${name}`;
      sequence_number += 1;
      return { event: type, data: JSON.stringify({ type, sequence_number, ...more }) };
    };
    const items = script.said.map(toItem);
    const status = script.isCutShort ? 'incomplete' : 'completed';
    const response = {
      ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status, error: null },
      incomplete_details: script.isCutShort ? { reason: 'max_output_tokens' } : null,
      output: items.map(({ whole }) => whole),
      usage: { input_tokens: 9, output_tokens: 7, total_tokens: 16 },
    };
    const frames = [
      event('created', { response: { ...response, status: 'in_progress', output: [], usage: null } }),
      ...items.flatMap(({ open, events, whole }, output_index) => [
        event('output_item.added', { output_index, item: open }),
        ...events.map(([name, more]) => event(name, { item_id: whole.id ?? null, output_index, ...more })),
        event('output_item.done', { output_index, item: whole }),
      ]),
      event(status, { response }),
    ];
    return { whole: response, frames: withNoise(frames, script, [event('news', { delta: 'x' }), event('keepalive')]) };
  },
};
