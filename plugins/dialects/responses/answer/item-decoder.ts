import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type {
  BoundValue,
  Citation,
  MediaPart,
  Part,
  TokenLogprob,
} from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { decodeTokens } from '../../shared/parts/token-logprobs.ts';
import { CallArguments } from '../../shared/request/call-arguments.ts';
import { decodeAnnotation } from '../parts/citations.ts';
import { type DecodeItem, decodeCall, decodeItem } from './decode-item.ts';

/** The length of one part's text so far. The item repeats the whole text at its end, and only the rest is then new. */
interface Said {
  readonly block: number;
  text: number;
  citations: number;
  logprobs: number;
  /** The length of each part of the summary, by the provider's number for it. */
  readonly summary: Map<number, { readonly index: number; text: number }>;
}

type ItemOptions = Omit<DecodeItem, 'number'>;

type Whole = MediaPart | Extract<Part, { readonly dialect: string }>;

/** Whether an event has words of an audio answer, which are reported as a text. */
export const isTranscript = (type: string): boolean =>
  type.startsWith('response.audio.transcript.') || type.startsWith('response.output_audio_transcript.');

/** Decodes one item of a stream's output from its deltas and its end. Its parts are blocks in the order in which they begin. */
export class ItemDecoder {
  readonly #nextBlock: () => number;
  readonly #options: ItemOptions;
  readonly #parts = new Map<string, Said>();
  readonly #arguments = new CallArguments();
  isCall = false;
  isDone = false;

  constructor(nextBlock: () => number, options: ItemOptions) {
    this.#nextBlock = nextBlock;
    this.#options = options;
  }

  /**
   * Starts the item. A call includes its name at its start, or at the latest when the item is whole; everything else begins empty.
   */
  start(item: JsonObject, isWhole = false): readonly AnswerEvent[] {
    if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return [];
    if (this.#parts.has('call') || (findText(item.name) === undefined && !isWhole)) return [];
    this.isCall = true;
    const { block } = this.#said('call');
    const { arguments: _text, ...call } = decodeCall(item, { ...this.#options, number: block });
    return [{ choice: 0, block, ...call }];
  }

  push(type: string, event: JsonObject): readonly AnswerEvent[] {
    const content = `content ${findNumber(event.content_index) ?? 0}`;
    const delta = findText(event.delta) ?? '';
    switch (type) {
      case 'response.output_text.delta':
        return [...this.#say('text', content, delta), ...this.#weigh(content, decodeTokens(event.logprobs))];
      case 'response.audio.transcript.delta':
      case 'response.output_audio_transcript.delta':
        return this.#say('text', 'transcript', delta);
      case 'response.refusal.delta':
        return this.#say('refusal', content, delta);
      case 'response.output_text.annotation.added':
        return this.#cite(content, decodeAnnotation(findObject(event.annotation) ?? {}));
      case 'response.reasoning_text.delta':
        return this.#say('reasoning', 'reasoning', delta);
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_text.delta':
        return this.#summarise(findNumber(event.summary_index) ?? 0, delta);
      case 'response.function_call_arguments.delta':
        return this.#parts.has('call') ? this.#argue(delta) : [];
      case 'response.function_call_arguments.done':
        return this.#parts.has('call') ? this.#restOfArguments(findText(event.arguments) ?? '') : [];
      case 'response.custom_tool_call_input.delta':
        return this.#parts.has('call') ? this.#say('tool-arguments', 'call', delta) : [];
      case 'response.custom_tool_call_input.done':
        return this.#parts.has('call') ? this.#restOfInput(findText(event.input) ?? '') : [];
      default:
        return [];
    }
  }

  /** Reports the parts of the whole item that its deltas did not contain, and that nothing more comes. */
  finish(item: JsonObject): readonly AnswerEvent[] {
    if (this.isDone) return [];
    this.isDone = true;
    const rest =
      item.type === 'message'
        ? toObjects(item.content).flatMap((part, index) => this.#rest([part], `content ${index}`))
        : this.#rest([item], item.type === 'reasoning' ? 'reasoning' : 'call');
    const ends = [...this.#parts.values()].map(({ block }) => ({ kind: 'block-end' as const, choice: 0, block }));
    return [...rest, ...ends];
  }

  #rest([wire]: readonly [JsonObject], name: string): readonly AnswerEvent[] {
    const item = name.startsWith('content') ? { type: 'message', content: [wire] } : wire;
    const started = this.start(wire, true);
    return [
      ...started,
      ...decodeItem(item, { ...this.#options, number: 0 }).flatMap((part, index) => this.#takeRest(part, name, index)),
    ];
  }

  #takeRest(part: Part, name: string, index: number): readonly AnswerEvent[] {
    switch (part.kind) {
      case 'text': {
        const { citations, logprobs } = this.#parts.get(name) ?? { citations: 0, logprobs: 0 };
        return [
          ...this.#say('text', name, this.#unsaid(name, part.text)),
          ...this.#weigh(name, part.logprobs?.slice(logprobs)),
          ...(part.citations ?? []).slice(citations).flatMap((citation) => this.#cite(name, citation)),
        ];
      }
      case 'refusal':
        return this.#say('refusal', name, this.#unsaid(name, part.text));
      case 'tool-call':
        return part.input === 'text' ? this.#restOfInput(part.arguments) : this.#restOfArguments(part.arguments);
      case 'reasoning':
        return [
          ...this.#say('reasoning', name, this.#unsaid(name, part.text)),
          ...(part.summary ?? []).flatMap((text, at) => this.#restOfSummary(text, at)),
          ...this.#bind(part.bound),
        ];
      case 'tool-result':
      case 'json':
        return [];
      default:
        return this.#whole(part, `${name} ${index}`);
    }
  }

  #said(name: string): Said {
    const known = this.#parts.get(name);
    if (known !== undefined) return known;
    const said = { block: this.#nextBlock(), text: 0, citations: 0, logprobs: 0, summary: new Map() };
    this.#parts.set(name, said);
    return said;
  }

  #unsaid(name: string, text: string): string {
    return text.slice(this.#parts.get(name)?.text ?? 0);
  }

  #say(kind: 'text' | 'refusal' | 'reasoning' | 'tool-arguments', name: string, text: string): readonly AnswerEvent[] {
    if (text === '') return [];
    const said = this.#said(name);
    said.text += text.length;
    return [{ kind, choice: 0, block: said.block, text }];
  }

  #argue(text: string): readonly AnswerEvent[] {
    this.#arguments.push(text);
    return this.#say('tool-arguments', 'call', text);
  }

  /** Reports the rest of the arguments. Some services write them in full with other white space than their pieces. */
  #restOfArguments(text: string): readonly AnswerEvent[] {
    const rest = this.#unsaid('call', text);
    return rest === '' || this.#arguments.isWhole ? [] : this.#argue(rest);
  }

  #restOfInput(text: string): readonly AnswerEvent[] {
    return this.#say('tool-arguments', 'call', this.#unsaid('call', text));
  }

  #cite(name: string, citation: Citation | undefined): readonly AnswerEvent[] {
    if (citation === undefined) return [];
    const said = this.#said(name);
    said.citations += 1;
    return [{ kind: 'citation', choice: 0, block: said.block, citation }];
  }

  #weigh(name: string, logprobs: readonly TokenLogprob[] = []): readonly AnswerEvent[] {
    if (logprobs.length === 0) return [];
    const said = this.#said(name);
    said.logprobs += logprobs.length;
    return [{ kind: 'logprobs', choice: 0, block: said.block, logprobs }];
  }

  /**
   * Reports a part of the summary even if it is empty, so that the part exists. Parts are counted, whatever numbers they have.
   */
  #summarise(number: number, text: string): readonly AnswerEvent[] {
    const { block, summary } = this.#said('reasoning');
    const part = summary.get(number) ?? { index: summary.size, text: 0 };
    part.text += text.length;
    summary.set(number, part);
    return [{ kind: 'reasoning', choice: 0, block, summary: { index: part.index, text } }];
  }

  #restOfSummary(text: string, number: number): readonly AnswerEvent[] {
    const known = this.#parts.get('reasoning')?.summary.get(number);
    const rest = text.slice(known?.text ?? 0);
    return known !== undefined && rest === '' ? [] : this.#summarise(number, rest);
  }

  #bind(bound: BoundValue | undefined): readonly AnswerEvent[] {
    if (bound === undefined) return [];
    return [{ kind: 'reasoning', choice: 0, block: this.#said('reasoning').block, bound }];
  }

  #whole(part: Whole, name: string): readonly AnswerEvent[] {
    return [{ kind: 'part', choice: 0, block: this.#said(name).block, part }];
  }
}
