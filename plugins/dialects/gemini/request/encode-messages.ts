import type { Conversation, ToolResultPart, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { append } from '../../shared/json/append.ts';
import type { Placed } from '../../shared/parts/placed.ts';
import { isInstruction, leadingInstructions } from '../../shared/request/leading-instructions.ts';
import { recordLosses } from '../../shared/request/lost.ts';
import { RoundOrder } from '../../shared/request/round-order.ts';
import { isCall, signFirstCall } from '../parts/sign-first-call.ts';
import { SignedParts } from '../parts/signed-parts.ts';
import { placeholderSignature } from '../parts/thought-signature.ts';
import { type ContentContext, encodeContent } from './encode-content.ts';
import { type EncodedResult, encodeResult } from './encode-result.ts';

interface Content {
  readonly role: 'user' | 'model';
  /** The parts except for results. Each turn that continues the content is added. */
  readonly parts: JsonObject[];
  /** The results. The API rejects a content that has other parts beside them. */
  readonly results: EncodedResult[];
}

type PlacedResult = Placed & { readonly part: ToolResultPart };

const isResult = (placed: Placed): placed is PlacedResult => placed.part.kind === 'tool-result';

const noteTurn = (turn: Turn, path: string, { lost }: ContentContext): void => {
  recordLosses(turn, ['name', 'id', 'phase'], { path, lost });
  if (isInstruction(turn)) lost.push(`${path}.role`);
};

/** Sorts results in the order of their calls, so that services which know no ids can pair them. */
const inOrder = (results: readonly EncodedResult[], { names }: ContentContext): readonly EncodedResult[] => {
  const toPlace = ({ id }: EncodedResult): number => names.get(id)?.at ?? names.size;
  return results.toSorted((a, b) => toPlace(a) - toPlace(b));
};

const encodeTurn = (turn: Turn, path: string, context: ContentContext): readonly Content[] => {
  noteTurn(turn, path, context);
  const placed = turn.parts.map((part, at): Placed => ({ part, path: `${path}.parts[${at}]` }));
  const encoded = placed.filter(isResult).map(({ part, path: at }) => encodeResult(part, at, context));
  const results = inOrder(encoded, context);
  const others = placed.filter((item) => !isResult(item));
  const rest = [...results.flatMap(({ after }) => after), ...encodeContent(others, new SignedParts(), context)];
  const isUniform = turn.role === 'tool' ? rest.length === 0 : results.length === 0;
  if (!isUniform || results.some((result, at) => result !== encoded[at])) context.lost.push(path);
  const contents: readonly Content[] = [
    { role: 'user', parts: [], results: [...results] },
    { role: turn.role === 'assistant' ? 'model' : 'user', parts: rest, results: [] },
  ];
  return contents.filter((content) => content.parts.length + content.results.length > 0);
};

const hasResults = (content: Content | undefined): boolean => content !== undefined && content.results.length > 0;

/** The contents of a conversation: all results of a round are one content, and so is what the model says without interruption. */
class Contents {
  readonly #order = new RoundOrder<Content>([]);

  /** Adds a content of a turn. Returns whether it stays a separate content in its place. */
  add(content: Content): boolean {
    if (content.role === 'model') return this.#addModel(content);
    if (hasResults(content)) return this.#addResults(content);
    this.#order.addSaid(content);
    return true;
  }

  end(): readonly Content[] {
    return this.#order.end();
  }

  #addModel(content: Content): boolean {
    const hasCalls = content.parts.some(isCall);
    const last = this.end().at(-1);
    if (last?.role !== 'model') {
      this.#order.addModel(content, { hasCalls });
      return true;
    }
    append(last.parts, content.parts);
    if (hasCalls) this.#order.awaitResults();
    return false;
  }

  #addResults(content: Content): boolean {
    const { last } = this.#order;
    if (last === undefined || !hasResults(last)) {
      this.#order.addResult(content);
      return !this.#order.isWaiting;
    }
    append(last.results, content.results);
    return false;
  }
}

/**
 * In the current turn, the first call of each step must carry a signature. The steps are all contents of the model after the last
 * one in which the user said something. It is not documented whether a new turn begins with text of the user directly after
 * results, so the turn is taken to continue there: calls of earlier turns may have the placeholder too.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const signSteps = (contents: readonly Content[]): readonly Content[] => {
  const isSaid = ({ role, parts }: Content): boolean => role === 'user' && parts.length > 0;
  const start = contents.findLastIndex((content, at) => isSaid(content) && !hasResults(contents[at - 1]));
  return contents.map((content, at) =>
    at > start && content.role === 'model'
      ? { ...content, parts: [...signFirstCall(content.parts, placeholderSignature)] }
      : content,
  );
};

/**
 * Encodes the conversation's turns after its first instructions, with results in the order of their calls. A turn without parts
 * is omitted.
 */
export const encodeMessages = (
  { turns }: Conversation,
  { context, signs }: { readonly context: ContentContext; readonly signs: boolean },
): readonly JsonObject[] => {
  const added = new Contents();
  const said = leadingInstructions(turns);
  turns.forEach((turn, index) => {
    if (index < said) return;
    const path = `turns[${index}]`;
    const encoded = encodeTurn(turn, path, context);
    if (encoded.length === 0) context.lost.push(path);
    for (const content of encoded) if (!added.add(content)) context.lost.push(path);
  });
  const contents = added.end();
  return (signs ? signSteps(contents) : contents).map(({ role, parts, results }) => ({
    role,
    parts: [...inOrder(results, context).map(({ wire }) => wire), ...parts],
  }));
};
