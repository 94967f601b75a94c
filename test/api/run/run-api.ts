import { caseSeed, Random } from '../../fuzz/support/random.ts';
import { createAnswerErrors } from '../document/answer-errors.ts';
import { toOperations, toWords } from '../document/operations.ts';
import { openConnections } from './exchange.ts';
import { type Finding, runLane } from './lane.ts';
import { toApi } from './next-request.ts';
import { toReport, toSignature } from './report.ts';
import type { RunningApi } from './start-api.ts';
import type { World } from './world.ts';

/** The number of sequences that run at the same time, each in its own workspaces. */
const lanes = 4;

const maxFindings = 10;

const maxRounds = 10;

export interface RunOptions {
  readonly seed: number;
  /** The total for all sequences. */
  readonly requests: number;
  /** The run continues, up to ten times as long, until each of these operations has succeeded. Some succeed only by chance. */
  readonly until: readonly string[];
}

export interface RunResult {
  /** A readable description of each error. */
  readonly findings: readonly string[];
  /** How often each operation has answered with each status. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** Calls every operation in a gateway's document, in sequences that depend on the seed and on the answers. */
export const runApi = async (running: RunningApi, { seed, requests, until }: RunOptions): Promise<RunResult> => {
  const { document, origin, admin, organisation, upstream } = running;
  const operations = toOperations(document);
  const api = toApi(operations);
  const scopes = [...new Set(operations.flatMap(({ scope = [] }) => scope))];
  const words = toWords(operations);
  const answerErrors = createAnswerErrors(document);
  const findings = new Map<string, { readonly finding: Finding; readonly lane: number }>();
  const statuses = new Map<string, Map<number, number>>();
  const never = new Set(until);
  const each = Math.ceil(requests / lanes);

  const lane = async (number: number): Promise<void> => {
    const places = [
      await running.place(`sequence-${number}`, scopes),
      await running.place(`other-${number}`, scopes),
    ] as const;
    const random = new Random(caseSeed(seed, number));
    const world: World = { random, admin, organisation, places, keys: [], upstream, scopes, words };
    const { send, close } = openConnections(origin);
    const found = (finding: Finding): boolean => {
      const signature = toSignature(finding);
      if (!findings.has(signature)) findings.set(signature, { finding, lane: number });
      return findings.size >= maxFindings;
    };
    await runLane({
      api,
      world,
      send,
      answerErrors,
      shouldContinue: (asked) => asked < each || (never.size > 0 && asked < each * maxRounds),
      // An operation that has not succeeded by then usually depends on something that another request has just created.
      wanted: (asked) => (asked < each ? [] : operations.filter(({ operationId }) => never.has(operationId))),
      found,
      seen: ({ operation: { operationId }, kind }, { status }) => {
        if (kind !== 'operation') return;
        if (status === 200) never.delete(operationId);
        const counts = statuses.get(operationId) ?? new Map<number, number>();
        statuses.set(operationId, counts.set(status, (counts.get(status) ?? 0) + 1));
      },
    });
    close();
  };

  await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at + 1)));
  const reports = [...findings.values()].map(({ finding, lane: of }) => toReport(finding, of, running.printed()));
  return { findings: reports, statuses };
};
