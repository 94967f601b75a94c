import { describe, expect, it } from 'vitest';
import { builtinGuardrails } from '../../plugins/guardrails/builtin-guardrails.ts';
import type { Guardrail } from '../../plugins/sdk/guardrail/guardrail.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { CheckPhase } from '../../schema/trail/trail.ts';
import { createTable } from './check-table.ts';
import { createCell, neutral, type Outcome, type Place } from './run-cell.ts';
import type { CheckSample } from './samples/sample.ts';
import { samples } from './samples/samples.ts';
import { factsOf, type Speaker } from './speakers/speaker.ts';
import { speakers } from './speakers/speakers.ts';
import { toolWire } from './speakers/tool-wire.ts';

const table = createTable();

/** Vectors, scores and verdicts contain no text to judge, and pictures cannot be judged. */
const isWordless = (speaker: Speaker): boolean => factsOf(speaker).output !== 'text';

const phasesIn = (speaker: Speaker, { phases = ['input', 'output'] }: Guardrail): readonly CheckPhase[] =>
  isWordless(speaker) ? phases.filter((phase) => phase === 'input') : phases;

it('every built-in check that judges a single answer has a sample', () => {
  // Checks that compare two answers are allowed only in mirrors, and no client receives a mirror's answer.
  const judging = builtinGuardrails.filter(({ comparesAnswers }) => comparesAnswers !== true);
  const lacking = judging.filter(({ id }) => !samples.some((sample) => sample.id === id));
  expect(
    lacking.map(({ id }) => id),
    'Add what each passes and fails to test/guardrails-table/samples.',
  ).toEqual([]);
});

/** Whether a dialect can express what a sample contains. */
const speaks =
  ({ passes }: CheckSample) =>
  ({ dialect }: Speaker): boolean =>
    passes.tool === undefined || toolWire(dialect) !== undefined;

type Cell = ReturnType<typeof createCell>;

/** Returns the cells of a place. A place's whole answers and its streams share their cells. */
const sharedCells = (): ((place: Place, further?: JsonObject) => Cell) => {
  let last: Place | undefined;
  let made = new Map<string, Cell>();
  return (place, further = {}) => {
    if (last?.speaker !== place.speaker || last.phase !== place.phase) made = new Map();
    last = place;
    const name = JSON.stringify(further);
    const cell = made.get(name) ?? createCell(place, further);
    made.set(name, cell);
    return cell;
  };
};

/** A text as it is escaped in JSON. */
const said = (text: string): string => JSON.stringify(text).slice(1, -1);

const known = builtinGuardrails.flatMap((guardrail) => {
  const sample = samples.find(({ id }) => id === guardrail.id);
  return sample === undefined ? [] : [{ id: guardrail.id, guardrail, sample }];
});

describe.each(known)('$id', ({ guardrail, sample }) => {
  const { passes, fails, throws, service, judgesSilence, adds } = sample;
  const cellOf = sharedCells();
  const inverts = Object.hasOwn(guardrail.parameters.properties ?? {}, 'not');

  const cells = speakers.filter(speaks(sample)).flatMap((speaker) => {
    const ways = speaker.frames === undefined ? [false] : [false, true];
    return phasesIn(speaker, guardrail).flatMap((phase) =>
      ways.map((stream) => ({ speaker, dialect: speaker.dialect, phase, stream })),
    );
  });

  it.each(cells)('judges the $phase of $dialect, streamed: $stream', async ({ speaker, phase, stream }) => {
    const place = { sample, phase, speaker };
    const row = table.open({ id: sample.id, phase, dialect: speaker.dialect, stream });
    const open = cellOf(place);

    const passed = await open({ situation: passes, stream });
    if (passed.code === 'streamed-output-checks') return row('all', [passed.status]);
    if (adds && factsOf(speaker).isUnchangeable) {
      expect(passed, passed.text).toMatchObject({ status: 446 });
      return row('pass', [passed.status]);
    }
    expect(passed, passed.text).toMatchObject({ status: 200 });
    if (!isWordless(speaker))
      expect(passed.text).toContain(said(phase === 'output' ? (passes.tool ?? passes.text) : neutral));
    row('pass', [passed.status]);

    if (fails !== undefined) {
      const failed = await open({ situation: fails, stream });
      expect(failed, failed.text).toMatchObject({ status: 446, check: { verdict: false } });
      row('fail', [failed.status]);
    }

    const errors = async (column: string, why: RegExp, asked: Parameters<Cell>[0]): Promise<void> => {
      const closed = cellOf(place, { failOnError: true });
      const [lenient, strict] = [await open(asked), await closed(asked)];
      expect(lenient.status, lenient.text).toBe(200);
      if (!stream) expect(toError(lenient), lenient.text).toMatch(why);
      expect(strict.status, strict.text).toBe(446);
      expect(toError(strict), strict.text).toMatch(why);
      row(column, [lenient.status, strict.status]);
    };
    if (throws !== undefined) await errors('error', /./, { situation: throws, stream });
    if (service !== undefined && judgesSilence === undefined) {
      await errors('error', /answered with status 500/, { situation: passes, stream, service: 'fails' });
      const ms = guardrail.timeoutMs?.(sample.parameters) ?? 5000;
      await errors('time-out', new RegExp(`did not answer within ${ms} ms`), {
        situation: passes,
        stream,
        service: 'hangs',
      });
    }

    if (inverts && fails !== undefined) {
      const inverted = cellOf(place, { not: true });
      const denied = await inverted({ situation: passes, stream });
      const allowed = await inverted({ situation: fails, stream });
      expect(denied, denied.text).toMatchObject({ status: 446, check: { verdict: false } });
      expect(allowed, allowed.text).toMatchObject({ status: 200 });
      row('inverted', [denied.status, allowed.status]);
    }
  });
});

const toError = ({ check }: Outcome): unknown => (check?.error as { readonly message?: unknown } | undefined)?.message;

it('the results match the table in GUARDRAILS.md', async () => {
  await expect(table.text()).toMatchFileSnapshot('../GUARDRAILS.md');
});
