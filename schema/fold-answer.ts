import type { Answer, AnswerEvent, Finish, Part, Usage } from './conversation.ts';

type Start = Extract<AnswerEvent, { readonly kind: 'start' }>;
type BlockEvent = Exclude<AnswerEvent, { readonly kind: 'start' | 'finish' | 'usage' | 'error' | 'end' }>;

interface Choice {
  readonly blocks: Map<number, Part>;
  finish: Finish;
}

const emptyPart = (event: BlockEvent): Part => {
  switch (event.kind) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return { kind: event.kind, text: '' };
    case 'tool-call':
      return {
        kind: 'tool-call',
        id: event.id,
        name: event.name,
        arguments: '',
        ...(event.input && { input: event.input }),
      };
    case 'tool-arguments':
      return { kind: 'tool-call', id: '', name: '', arguments: '' };
    case 'part':
      return event.part;
    case 'citation':
    case 'logprobs':
    case 'block-end':
      return { kind: 'text', text: '' };
  }
};

const grown = (part: Part, event: BlockEvent): Part => {
  if ((part.kind === 'text' || part.kind === 'refusal') && part.kind === event.kind)
    return { ...part, text: part.text + event.text };
  if (part.kind === 'text' && event.kind === 'citation')
    return { ...part, citations: [...(part.citations ?? []), event.citation] };
  if (part.kind === 'text' && event.kind === 'logprobs')
    return { ...part, logprobs: [...(part.logprobs ?? []), ...event.logprobs] };
  if (part.kind === 'tool-call' && event.kind === 'tool-arguments')
    return { ...part, arguments: part.arguments + event.text };
  if (part.kind !== 'reasoning' || event.kind !== 'reasoning') return part;
  return {
    ...part,
    text: part.text + (event.text ?? ''),
    ...(event.summary === undefined ? {} : { summary: grownSummary(part.summary ?? [], event.summary) }),
    ...(event.bound === undefined ? {} : { bound: event.bound }),
  };
};

const grownSummary = (
  summary: readonly string[],
  { index, text }: { readonly index: number; readonly text: string },
): readonly string[] => {
  const grownTo = Array.from({ length: Math.max(summary.length, index + 1) }, (_, at) => summary[at] ?? '');
  return grownTo.map((known, at) => (at === index ? known + text : known));
};

/**
 * The whole answer of a stream's events: a part for each block, in the order they began, and the last usage. A choice
 * without a finish has the reason `other`. Throws an `Error` with the message of an `error` event.
 */
export const foldAnswer = (events: Iterable<AnswerEvent>): Answer => {
  const choices = new Map<number, Choice>();
  let start: Start = { kind: 'start', id: '', model: '' };
  let usage: Usage | undefined;
  const choiceAt = (index: number): Choice => {
    const choice = choices.get(index) ?? { blocks: new Map(), finish: { reason: 'other' } };
    choices.set(index, choice);
    return choice;
  };
  for (const event of events) {
    switch (event.kind) {
      case 'start':
        start = event;
        usage = event.usage;
        break;
      case 'usage':
        usage = { ...usage, ...event.usage };
        break;
      case 'finish':
        choiceAt(event.choice).finish = event.finish;
        break;
      case 'error':
        throw new Error(event.error.message);
      case 'end':
        break;
      case 'block-end':
        break;
      default: {
        const { blocks } = choiceAt(event.choice);
        blocks.set(event.block, grown(blocks.get(event.block) ?? emptyPart(event), event));
      }
    }
  }
  return {
    id: start.id,
    model: start.model,
    ...(start.created === undefined ? {} : { created: start.created }),
    choices: [...choices]
      .sort(([a], [b]) => a - b)
      .map(([index, { blocks, finish }]) => ({ index, parts: [...blocks.values()], finish })),
    ...(usage === undefined ? {} : { usage }),
    extensions: {},
  };
};
