import fc from 'fast-check';
import type { Part, Turn } from '../../../../../schema/conversation/conversation.ts';
import { id, said, sometimes } from './basics.ts';
import { callPart, otherPart, plainCall, plainResult, resultPart, serverParts } from './calls.ts';
import { mediaPart, plainImage } from './media.ts';
import { reasoningPart } from './reasoning.ts';
import { citingText, plainText, textPart } from './texts.ts';
import { wellFormed } from './well-formed.ts';

const refusalPart: fc.Arbitrary<Part> = said.map((value) => ({ kind: 'refusal', text: value }));

const turn = (role: Turn['role'], parts: fc.Arbitrary<readonly Part[]>): fc.Arbitrary<Turn> =>
  fc
    .tuple(parts, fc.constantFrom(...Array<boolean>(5).fill(false), true), sometimes({ name: id, id }))
    .map(([list, isNamed, more]) => ({ role, parts: list, ...(isNamed && role !== 'tool' ? more : {}) }));

const phased = (turns: fc.Arbitrary<Turn>): fc.Arbitrary<Turn> =>
  fc
    .tuple(turns, fc.constantFrom(undefined, undefined, undefined, 'commentary', 'final_answer'))
    .map(([each, phase]) => (phase === undefined ? each : { ...each, phase }));

const flat = (lists: readonly (readonly Part[])[]): readonly Part[] => lists.flat();

/** Instructions that do not come before the first turn. */
const instruction: fc.Arbitrary<Turn> = fc
  .constantFrom('system' as const, 'developer' as const)
  .chain((role) => turn(role, fc.array(textPart, { minLength: 1, maxLength: 2 })));

const anyTurn: fc.Arbitrary<Turn> = fc.oneof(
  instruction,
  turn(
    'user',
    fc.array(fc.oneof({ weight: 6, arbitrary: textPart }, { weight: 2, arbitrary: mediaPart }, otherPart, callPart), {
      maxLength: 3,
    }),
  ),
  phased(
    turn(
      'assistant',
      fc
        .tuple(
          fc.array(reasoningPart, { maxLength: 1 }),
          fc.array(fc.oneof({ weight: 3, arbitrary: textPart }, { weight: 2, arbitrary: citingText }, refusalPart), {
            maxLength: 2,
          }),
          fc.array(fc.oneof({ weight: 5, arbitrary: callPart }, otherPart), { maxLength: 2 }),
        )
        .map(flat),
    ),
  ),
  turn(
    'assistant',
    fc
      .array(
        fc.oneof(
          fc.oneof(textPart, callPart, mediaPart, reasoningPart).map((part): readonly Part[] => [part]),
          serverParts,
        ),
        { maxLength: 3 },
      )
      .map(flat),
  ),
  turn('tool', fc.array(resultPart, { minLength: 1, maxLength: 2 })),
  turn('tool', fc.array(fc.oneof(resultPart, textPart), { maxLength: 3 })),
);

const toTurn = (role: Turn['role'], parts: fc.Arbitrary<readonly Part[]>): fc.Arbitrary<Turn> =>
  parts.map((list) => ({ role, parts: list }));

/** A question, calls, their results, and the model's answer to them: turns that every dialect can express. */
const plainRound: fc.Arbitrary<readonly Turn[]> = fc
  .tuple(
    toTurn('user', fc.array(fc.oneof(plainText, plainImage), { minLength: 1, maxLength: 3 })),
    toTurn(
      'assistant',
      fc
        .tuple(fc.array(plainText, { maxLength: 2 }), fc.array(plainCall, { minLength: 1, maxLength: 3 }))
        .map(([texts, calls]) => [...texts, ...calls]),
    ),
    toTurn('tool', fc.array(plainResult, { minLength: 1, maxLength: 2 })),
    fc.constantFrom('user' as const, 'assistant' as const),
    fc.array(plainText, { minLength: 1, maxLength: 2 }),
  )
  .map(([question, calls, results, role, parts]) => [
    question,
    calls,
    results,
    ...(role === 'user' ? [] : [{ role, parts }]),
  ]);

/** Calls of all kinds and their results, with an instruction between or after them. */
const anyRound: fc.Arbitrary<readonly Turn[]> = fc
  .tuple(
    toTurn('user', fc.array(plainText, { minLength: 1, maxLength: 2 })),
    toTurn(
      'assistant',
      fc.tuple(fc.array(reasoningPart, { maxLength: 1 }), fc.array(callPart, { minLength: 1, maxLength: 2 })).map(flat),
    ),
    toTurn('tool', fc.array(resultPart, { minLength: 1, maxLength: 2 })),
    fc.array(instruction, { maxLength: 1 }),
  )
  .map(([question, calls, results, rest]) => [question, calls, results, ...rest]);

export const turns: fc.Arbitrary<readonly Turn[]> = fc
  .oneof(
    fc.array(anyTurn, { maxLength: 4 }),
    // If the model says nothing after results, the next question is a turn of the same side.
    fc.array(plainRound, { maxLength: 2 }).map((rounds) => rounds.flat()),
    fc.array(anyRound, { minLength: 1, maxLength: 2 }).map((rounds) => rounds.flat()),
  )
  .map(wellFormed);
