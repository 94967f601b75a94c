import type { Conversation, ToolResultPart, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { append } from '../../wire/json/append.ts';
import { isInstruction, leadingInstructions } from '../../wire/request/leading-instructions.ts';
import { signFirstCall } from '../parts/sign-first-call.ts';
import { SignedParts } from '../parts/signed-parts.ts';
import { unverified } from '../parts/thought-signature.ts';
import { type ContentContext, encodeContent, type PlacedPart } from './encode-content.ts';
import { type EncodedResult, encodeResult } from './encode-result.ts';

interface Content {
  readonly role: 'user' | 'model';
  /** It grows with each turn that goes on with it. */
  readonly parts: JsonObject[];
  /** Whether it has only results: the API rejects a content that has other parts beside them. */
  readonly isResults: boolean;
}

type PlacedResult = PlacedPart & { readonly part: ToolResultPart };

const isResult = (placed: PlacedPart): placed is PlacedResult => placed.part.kind === 'tool-result';

const noteTurn = (turn: Turn, path: string, { lost }: ContentContext): void => {
  for (const name of ['name', 'id', 'phase'] as const) if (turn[name] !== undefined) lost.push(`${path}.${name}`);
  if (isInstruction(turn)) lost.push(`${path}.role`);
};

/** Results in the order of their calls, which pairs them where a service knows no ids. */
const inOrder = (results: readonly EncodedResult[], { names }: ContentContext): readonly EncodedResult[] => {
  const toPlace = ({ id }: EncodedResult): number => names.get(id)?.at ?? names.size;
  return results.toSorted((a, b) => toPlace(a) - toPlace(b));
};

const encodeTurn = (turn: Turn, path: string, context: ContentContext): readonly Content[] => {
  noteTurn(turn, path, context);
  const placed = turn.parts.map((part, at): PlacedPart => ({ part, path: `${path}.parts[${at}]` }));
  const encoded = placed.filter(isResult).map(({ part, path: at }) => encodeResult(part, at, context));
  const results = inOrder(encoded, context);
  const others = placed.filter((item) => !isResult(item));
  const rest = [...results.flatMap(({ after }) => after), ...encodeContent(others, new SignedParts(), context)];
  const isTold = turn.role === 'tool' ? rest.length === 0 : results.length === 0;
  if (!isTold || results.some((result, at) => result !== encoded[at])) context.lost.push(path);
  const contents: readonly Content[] = [
    { role: 'user', parts: results.map(({ wire }) => wire), isResults: true },
    { role: turn.role === 'assistant' ? 'model' : 'user', parts: rest, isResults: false },
  ];
  return contents.filter(({ parts }) => parts.length > 0);
};

/**
 * In the turn that goes on, the first call of each step must carry a signature: that is every content of the model after
 * the last one in which the user said something. Whether a turn begins with what the user says right after results is not
 * documented, so that it goes on there: calls of earlier turns may have the placeholder too.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const signSteps = (contents: readonly Content[]): readonly Content[] => {
  const isSaid = ({ role, isResults }: Content): boolean => role === 'user' && !isResults;
  const start = contents.findLastIndex((content, at) => isSaid(content) && contents[at - 1]?.isResults !== true);
  return contents.map((content, at) =>
    at > start && content.role === 'model'
      ? { ...content, parts: [...signFirstCall(content.parts, unverified)] }
      : content,
  );
};

/**
 * The conversation's turns after its first instructions. All results of one round are one content, and so is all that the
 * model says in one; a turn without parts is omitted.
 */
export const encodeMessages = (
  { turns }: Conversation,
  { context, signs }: { readonly context: ContentContext; readonly signs: boolean },
): readonly JsonObject[] => {
  const contents: Content[] = [];
  const said = leadingInstructions(turns);
  turns.forEach((turn, index) => {
    if (index < said) return;
    const path = `turns[${index}]`;
    const encoded = encodeTurn(turn, path, context);
    if (encoded.length === 0) context.lost.push(path);
    for (const content of encoded) {
      const last = contents.at(-1);
      const isOne = last?.role === content.role && last.isResults === content.isResults;
      if (isOne && (content.isResults || content.role === 'model')) {
        context.lost.push(path);
        append(last.parts, content.parts);
      } else contents.push(content);
    }
  });
  return (signs ? signSteps(contents) : contents).map(({ role, parts }) => ({ role, parts }));
};
