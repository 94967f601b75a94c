import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { itemsOf, objectOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { judgedFrom } from '../wire/judged-from.ts';
import { readable } from '../wire/readable.ts';
import { type QuotedMembers, sourceSpans } from '../wire/source-spans.ts';
import { argumentsSpan, contentSpans, inside, type SpanPlace, span, valueSpan } from '../wire/text-spans.ts';
import { isModelItem } from './item-types.ts';

/** Members that are no text: names of the item, encrypted content, and images in base64. */
const unspoken: ReadonlySet<string> = new Set(['id', 'type', 'status', 'encrypted_content', 'container_id']);

const serverSpans = (item: JsonObject, place: SpanPlace): readonly TextSpan[] =>
  Object.entries(item).flatMap(([name, value]) => {
    if (unspoken.has(name) || (item.type === 'image_generation_call' && name === 'result')) return [];
    const at = inside({ ...place, kind: 'server-tool' }, name);
    return typeof value === 'string' ? argumentsSpan(value, at) : valueSpan(value, at);
  });

const cited: QuotedMembers = { members: ['title', 'filename'] };

const partSpans = (part: Json, place: SpanPlace): readonly TextSpan[] => {
  const { type, annotations } = objectOf(part) ?? {};
  return [
    ...sourceSpans(annotations, inside(place, 'annotations'), cited),
    ...contentSpans(part, type === 'refusal' ? { ...place, kind: 'refusal' } : place),
  ];
};

const messageSpans = (content: Json | undefined, place: SpanPlace): readonly TextSpan[] =>
  itemsOf(content)?.flatMap((part, index) => partSpans(part, inside(place, index))) ?? contentSpans(content, place);

const itemSpans = (item: JsonObject, place: SpanPlace): readonly TextSpan[] => {
  switch (item.type) {
    case undefined:
    case 'message':
      return messageSpans(item.content, inside(place, 'content'));
    case 'function_call':
      return argumentsSpan(item.arguments, inside({ ...place, kind: 'tool-arguments' }, 'arguments'));
    case 'custom_tool_call':
      return span(item.input, { ...place, kind: 'tool-arguments' }, 'input');
    case 'function_call_output':
    case 'custom_tool_call_output':
      return contentSpans(item.output, inside({ ...place, kind: 'tool-result' }, 'output'));
    case 'reasoning':
      return [
        ...contentSpans(item.summary, inside({ ...place, kind: 'reasoning' }, 'summary')),
        ...contentSpans(item.content, inside({ ...place, kind: 'reasoning' }, 'content')),
      ];
    case 'mcp_approval_response':
      return span(item.reason, place, 'reason');
    case 'computer_call_output':
      // It is a picture of the screen.
      return [];
    default:
      if (isModelItem(item)) return serverSpans(item, place);
      return valueSpan(item.output, inside({ ...place, kind: 'tool-result' }, 'output'));
  }
};

const isModel = (item: Json | undefined): boolean => isJsonObject(item) && isModelItem(item);

/** A turn of the model may be several items: where it is the last, it is judged from its first one. */
const firstJudged = (items: readonly Json[]): number => {
  let from = judgedFrom(items, (item) => (isModelItem(item) ? 'model' : 'user'));
  while (from > 0 && isModel(items[from]) && isModel(items[from - 1])) from -= 1;
  return from;
};

/** The texts of some items; the first is the one with the index `from`. */
const spansFrom = (items: readonly Json[], from: number): readonly TextSpan[] => {
  const place = inside({ at: rootPointer, kind: 'text' }, 'input');
  return items.flatMap((item, index) => itemSpans(objectOf(item) ?? {}, inside(place, from + index)));
};

/** What a caller puts into a prompt that the provider keeps. */
const variableSpans = ({ variables }: JsonObject): readonly TextSpan[] =>
  Object.entries(objectOf(variables) ?? {}).flatMap(([name, value]) =>
    contentSpans(value, inside({ at: rootPointer, kind: 'text' }, 'prompt', 'variables', name)),
  );

const inputSpans = (input: Json | undefined, more: readonly TextSpan[]): readonly TextSpan[] | undefined => {
  const place = inside({ at: rootPointer, kind: 'text' }, 'input');
  if (typeof input === 'string') return [...span(input, place), ...more];
  const items = itemsOf(input);
  if (items === undefined) return undefined;
  const from = firstJudged(items);
  const judged = items.slice(from);
  return readable([...spansFrom(judged, from), ...more], judged);
};

/** A prompt that the provider keeps may be all that a request has. */
const requestSpans = ({ input, prompt }: JsonObject): readonly TextSpan[] | undefined => {
  const kept = objectOf(prompt);
  const variables = kept === undefined ? [] : variableSpans(kept);
  return input === undefined && kept !== undefined ? readable(variables, kept) : inputSpans(input, variables);
};

export const earlierTexts = ({ instructions, input }: JsonObject): readonly TextSpan[] => {
  const items = itemsOf(input) ?? [];
  return [
    ...span(instructions, { at: rootPointer, kind: 'text' }, 'instructions'),
    ...spansFrom(items.slice(0, firstJudged(items)), 0),
  ];
};

const answerSpans = ({ output }: JsonObject): readonly TextSpan[] | undefined => {
  const place = inside({ at: rootPointer, kind: 'text', choice: 0 }, 'output');
  const spans = itemsOf(output)?.flatMap((item, index) => itemSpans(objectOf(item) ?? {}, inside(place, index)));
  return spans === undefined ? undefined : readable(spans, output);
};

export const texts = (body: JsonObject, phase: CheckPhase): readonly TextSpan[] | undefined =>
  phase === 'input' ? requestSpans(body) : answerSpans(body);
