import { joinJson } from '../json/join-json.ts';
import type { Answer, AnswerEvent, AnswerEventOf, Finish } from './answer.ts';
import { grownReasoning } from './answer-parts.ts';
import type { Citation, Part, TokenLogprob, Usage } from './conversation.ts';
import { mergedUsage } from './merged-usage.ts';

type BlockEvent = Exclude<AnswerEvent, { readonly kind: 'start' | 'extension' | 'finish' | 'usage' | 'error' | 'end' }>;

/** A part that is being collected. It grows with each event. */
interface Block {
  part: Part;
  readonly citations: Citation[];
  readonly logprobs: TokenLogprob[];
}

interface Choice {
  /** By number. If a block also contains something of another kind, also by its kind. */
  readonly blocks: Map<number | string, Block>;
  finish: Finish;
  readonly extended: AnswerEventOf<'extension'>[];
}

const toExtensions = (extended: readonly AnswerEventOf<'extension'>[]): Answer['extensions'] =>
  Object.fromEntries(
    [...Map.groupBy(extended, ({ dialect }) => dialect)].map(([dialect, events]) => [
      dialect,
      joinJson(events.map(({ value }) => value)),
    ]),
  );

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
        ...(event.extensions && { extensions: event.extensions }),
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
  if (part.kind === 'tool-call' && event.kind === 'tool-arguments')
    return { ...part, arguments: part.arguments + event.text };
  return part.kind === 'reasoning' && event.kind === 'reasoning' ? grownReasoning(part, event) : part;
};

const grow = (block: Block, event: BlockEvent): void => {
  if (event.kind === 'citation') block.citations.push(event.citation);
  else if (event.kind === 'logprobs') for (const token of event.logprobs) block.logprobs.push(token);
  else block.part = grown(block.part, event);
};

/** Whether an event can belong to a part. A provider may send something else in the same block. */
const fits = ({ part }: Block, event: BlockEvent): boolean => {
  switch (event.kind) {
    case 'text':
    case 'refusal':
    case 'reasoning':
    case 'tool-call':
      return part.kind === event.kind;
    case 'tool-arguments':
      return part.kind === 'tool-call';
    default:
      return true;
  }
};

/** Returns the block of an event, and creates it if the choice does not have it yet. */
const toBlock = ({ blocks }: Choice, event: BlockEvent): Block => {
  const first = blocks.get(event.block);
  if (first !== undefined && fits(first, event)) return first;
  const part = emptyPart(event);
  const key = first === undefined ? event.block : `${event.block} ${part.kind}`;
  const known = blocks.get(key);
  if (known !== undefined) return known;
  const block: Block = { part, citations: [], logprobs: [] };
  blocks.set(key, block);
  return block;
};

const wholePart = ({ part, citations, logprobs }: Block): Part =>
  part.kind === 'text'
    ? {
        ...part,
        ...(citations.length > 0 ? { citations } : {}),
        ...(logprobs.length > 0 ? { logprobs } : {}),
      }
    : part;

/**
 * Builds the whole answer from a stream's events: a part for each block, in the order in which they began, and the last usage. A
 * choice without a finish has the reason `other`. Throws an `Error` with the message of an `error` event.
 */
export const foldAnswer = (events: Iterable<AnswerEvent>): Answer => {
  const choices = new Map<number, Choice>();
  let start: AnswerEventOf<'start'> = { kind: 'start', id: '', model: '' };
  let usage: Usage | undefined;
  const extended: AnswerEventOf<'extension'>[] = [];
  const choiceAt = (index: number): Choice => {
    const known = choices.get(index);
    if (known !== undefined) return known;
    const choice: Choice = { blocks: new Map(), finish: { reason: 'other' }, extended: [] };
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
        usage = mergedUsage(usage, event.usage);
        break;
      case 'extension':
        (event.choice === undefined ? extended : choiceAt(event.choice).extended).push(event);
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
        grow(toBlock(choiceAt(event.choice), event), event);
      }
    }
  }
  return {
    id: start.id,
    model: start.model,
    ...(start.created === undefined ? {} : { created: start.created }),
    choices: [...choices]
      .sort(([a], [b]) => a - b)
      .map(([index, choice]) => ({
        index,
        parts: [...choice.blocks.values()].map(wholePart),
        finish: choice.finish,
        ...(choice.extended.length === 0 ? {} : { extensions: toExtensions(choice.extended) }),
      })),
    ...(usage === undefined ? {} : { usage }),
    extensions: toExtensions(extended),
  };
};
