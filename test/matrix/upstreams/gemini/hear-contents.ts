import type { Hearing } from '../wire/hearing.ts';
import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';
import { hearModelPart, hearUserPart } from './hear-parts.ts';

interface Turn {
  readonly at: string;
  readonly role: 'user' | 'model';
  readonly parts: readonly Members[];
}

/** Groups consecutive contents with the same role into turns. */
const toTurns = (contents: readonly Members[]): readonly Turn[] => {
  const turns: Turn[] = [];
  for (const content of contents) {
    content.only(['role', 'parts']);
    const role =
      content.has('role') && content.word('role', ['user', 'model', 'function']) === 'model' ? 'model' : 'user';
    const parts = content.has('parts') ? content.list('parts') : [];
    if (parts.length === 0) throw refusal(`${content.at}.parts`, 'must not be empty.');
    const last = turns.at(-1);
    if (last?.role === role) turns.splice(-1, 1, { ...last, parts: [...last.parts, ...parts] });
    else turns.push({ at: content.at, role, parts });
  }
  return turns;
};

const namesIn = (turn: Turn | undefined, member: string): readonly string[] =>
  (turn?.parts ?? []).filter((part) => part.has(member)).map((part) => part.object(member).text('name'));

/** https://ai.google.dev/gemini-api/docs/function-calling: as many responses as calls, immediately after them. */
const checkPairs = (turns: readonly Turn[]): void => {
  for (const [at, turn] of turns.entries()) {
    const calls = namesIn(turn, 'functionCall');
    if (calls.length > 0 && turns[at - 1]?.role !== 'user')
      throw refusal(turn.at, 'a function call turn comes immediately after a user turn or a function response turn.');
    const results = namesIn(turns[at + 1], 'functionResponse');
    if (calls.length !== results.length && turn.role === 'model')
      throw refusal(
        turn.at,
        'the number of function response parts must be equal to the number of function call parts of the function call turn.',
      );
    if ([...calls].sort().join() !== [...results].sort().join() && turn.role === 'model')
      throw refusal(turn.at, 'the function responses must have the names of the calls.');
  }
  if (namesIn(turns[0], 'functionResponse').length > 0)
    throw refusal('contents', 'a function response turn comes immediately after a function call turn.');
};

/**
 * Since Gemini 3, the first call in each step of the current turn requires its signature.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const checkSignatures = (turns: readonly Turn[]): void => {
  const asked = turns.findLastIndex(
    ({ role, parts }) => role === 'user' && !parts.some((part) => part.has('functionResponse')),
  );
  for (const turn of turns.slice(asked + 1)) {
    const first = turn.parts.find((part) => part.has('functionCall'));
    if (first !== undefined && !first.has('thoughtSignature'))
      throw refusal(first.at, 'function call is missing a thought_signature.');
  }
};

/** Parses the contents. The rules depend on `model`. */
export const hearContents = (contents: readonly Members[], model: string, hearing: Hearing): void => {
  if (contents.length === 0) throw refusal('contents', 'is not specified.');
  const turns = toTurns(contents);
  for (const { role, parts } of turns)
    for (const part of parts) (role === 'model' ? hearModelPart : hearUserPart)(part, hearing);
  checkPairs(turns);
  if (/^gemini-(?:[3-9]|\d\d)/.test(model)) checkSignatures(turns);
  const ids = new Set(hearing.calls.map(({ id }) => id));
  const foreign = hearing.results.find(({ id }) => id !== '' && !ids.has(id));
  if (foreign !== undefined) throw refusal('contents', `no function call has the id "${foreign.id}".`);
};
