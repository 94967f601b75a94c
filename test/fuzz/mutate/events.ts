import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { Part } from '../../../schema/conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import type { Random } from '../support/random.ts';
import { mutateJson, type Pool } from './json.ts';
import { oddText } from './text.ts';

/** The source of events. */
export interface EventPool extends Pool {
  readonly events: readonly AnswerEvent[];
  /** The dialects whose own parts an answer may contain. */
  readonly dialects: readonly string[];
}

const odd: readonly AnswerEvent[] = [
  { kind: 'start', id: '', model: '' },
  { kind: 'start', id: 'a', model: 'm', created: Number.MAX_SAFE_INTEGER },
  { kind: 'usage', usage: { input: 0, output: 0 } },
  { kind: 'usage', usage: { input: 5, output: 1, cacheRead: 9, reasoning: 7 } },
  { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
  { kind: 'finish', choice: 1, finish: { reason: 'tool-calls', raw: 'constructor' } },
  { kind: 'tool-arguments', choice: 0, block: 7, text: '{"a":' },
  { kind: 'reasoning', choice: 0, block: 0, summary: { index: 3, text: 'later' } },
  { kind: 'reasoning', choice: 0, block: 0, bound: { scope: 'here', kind: 'thought', value: '' } },
  { kind: 'citation', choice: 0, block: 9, citation: {} },
  { kind: 'logprobs', choice: 1, block: 9, logprobs: [] },
  { kind: 'block-end', choice: 0, block: 0 },
  { kind: 'error', error: { message: '' } },
  { kind: 'error', error: { message: 'gone', type: 'x', code: 'y', status: 503 } },
  { kind: 'end' },
];

const asObject = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

/** Changes a part to what another dialect could have, or to a form that no dialect has. */
const oddPart = (
  part: Part & Extract<AnswerEvent, { kind: 'part' }>['part'],
  random: Random,
  pool: EventPool,
): typeof part => {
  if (part.kind === 'media') return { ...part, source: { kind: 'url', url: random.pick(pool.words) } };
  return { ...part, dialect: random.pick(pool.dialects), value: mutateJson(part.value, random, pool) };
};

const withOddUsage = (
  usage: Extract<AnswerEvent, { kind: 'usage' }>['usage'],
  random: Random,
  pool: EventPool,
): typeof usage => ({
  ...usage,
  raw: { [random.pick(pool.dialects)]: asObject(mutateJson({ usage: pool.donor(random) }, random, pool)) },
});

/** Changes the place, text or value of an event, within its type. */
const changed = (event: AnswerEvent, random: Random, pool: EventPool): AnswerEvent => {
  if (event.kind === 'part' && random.oneIn(2)) return { ...event, part: oddPart(event.part, random, pool) };
  if (event.kind === 'usage') return { ...event, usage: withOddUsage(event.usage, random, pool) };
  if ('text' in event && event.text !== undefined && random.oneIn(3))
    return { ...event, text: oddText(event.text, random) };
  if ('id' in event && random.oneIn(2)) return { ...event, id: random.pick(pool.words) };
  if (event.kind === 'finish' && random.oneIn(2))
    return { ...event, finish: { reason: event.finish.reason, raw: random.pick(pool.words) } };
  if ('block' in event) return { ...event, choice: random.below(3), block: random.below(4) };
  return 'choice' in event ? { ...event, choice: random.below(3) } : event;
};

const once = (events: readonly AnswerEvent[], random: Random, pool: EventPool): readonly AnswerEvent[] => {
  const at = random.below(events.length + 1);
  const some = events.slice(at, at + random.below(6));
  const event = events[at];
  switch (random.below(8)) {
    case 0:
      return events.toSpliced(at, some.length);
    case 1:
      return events.toSpliced(random.below(events.length + 1), 0, ...some);
    case 2:
      return events.toSpliced(at, some.length, ...some.toReversed());
    case 3: {
      const from = random.below(pool.events.length);
      return events.toSpliced(at, 0, ...pool.events.slice(from, from + random.below(8)));
    }
    case 4:
      return events.toSpliced(at, 0, random.pick(odd));
    case 5:
      return events.slice(0, at);
    default:
      return event === undefined ? events : events.with(at, changed(event, random, pool));
  }
};

/** Changes events to a sequence that no answer has. */
export const mutateEvents = (
  events: readonly AnswerEvent[],
  random: Random,
  pool: EventPool,
): readonly AnswerEvent[] => {
  let mutated = events;
  for (let left = 1 + random.below(5); left > 0; left -= 1) mutated = once(mutated, random, pool);
  return mutated;
};
