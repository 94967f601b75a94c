/**
 * Causes every incident, asks the judge what is wrong, and compares its findings with what the incident declares. If run
 * directly, prints a table and exits with 1 if more than one in twenty is not found: `node test/incidents/judge-incidents.ts`.
 */
import type { Diagnosis, Incident, SeenAnswer } from './incident.ts';
import { incidents } from './incidents.ts';
import { judge } from './judge.ts';
import { openWorld, type World } from './world.ts';

/** An incident and the judge's findings. */
export interface Judged {
  readonly name: string;
  readonly status: number;
  readonly said: Diagnosis;
  /** The members that differ from what the incident declares. */
  readonly wrong: readonly string[];
}

/** The share of incidents that may be missed. */
export const maxMissedShare: number = 1 / 20;

const judged = async (world: World, answer: SeenAnswer, { name, declares }: Incident): Promise<Judged> => {
  const said = judge(answer, await world.readLine(answer));
  const { remedy, ...exact } = declares;
  const wrong = Object.entries(exact).flatMap(([member, value]) =>
    Object.entries(said).some(([one, found]) => one === member && found === value) ? [] : [member],
  );
  return { name, status: answer.status, said, wrong: remedy.test(said.remedy) ? wrong : [...wrong, 'remedy'] };
};

/** Runs and judges all incidents one after another in one world. */
export const judgeIncidents = async (): Promise<readonly Judged[]> => {
  const world = await openWorld();
  try {
    const happened: [SeenAnswer, Incident][] = [];
    for (const incident of incidents) happened.push([await incident.run(world), incident]);
    await world.logged();
    const all: Judged[] = [];
    for (const [answer, incident] of happened) all.push(await judged(world, answer, incident));
    return all;
  } finally {
    await world.close();
  }
};

/** The findings as a table. */
export const incidentTable = (all: readonly Judged[]): string =>
  [
    '| incident | status | target | path | attempt | cause | not found |',
    '|---|---|---|---|---|---|---|',
    ...all.map(
      ({ name, status, said: { target, path, attempt, cause }, wrong }) =>
        `| ${name} | ${status} | ${target} | ${path} | ${attempt} | ${cause} | ${wrong.join(', ')} |`,
    ),
    '',
    ...all.flatMap(({ name, wrong, said }) => (wrong.includes('remedy') ? [`${name}: ${said.remedy}`] : [])),
  ].join('\n');

if (import.meta.main) {
  const all = await judgeIncidents();
  const missed = all.filter(({ wrong }) => wrong.length > 0).length;
  process.stdout.write(`${incidentTable(all)}\n${all.length - missed} of ${all.length} incidents were found.\n`);
  process.exitCode = missed > all.length * maxMissedShare ? 1 : 0;
}
