import type { SimulatedRequest } from '../../../schema/forecast/simulation.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../schema/json/loose.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { isTrail } from './from-log-line.ts';
import type { FileLine } from './read-lines.ts';
import { maxRequests } from './traffic.ts';

/** Returns when a request began, in milliseconds since the epoch; a line states when its answer ended. */
const beganAt = ({ time, ms, created_at: createdAt }: { readonly [name: string]: unknown }): number | undefined => {
  const ended = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  if (!Number.isNaN(ended)) return ended - (typeof ms === 'number' ? ms : 0);
  return typeof createdAt === 'number' ? createdAt * 1000 : undefined;
};

/** Reads the requests of a log, with their original times. Throws a `UsageError` if there are none, or too many. */
export const loggedRequests = async (
  lines: AsyncIterable<FileLine>,
  file: string,
  seed: number,
): Promise<readonly SimulatedRequest[]> => {
  const found: SimulatedRequest[] = [];
  for await (const { text } of lines) {
    const line = text === undefined ? undefined : parseJson(text);
    if (!isJsonObject(line) || !isTrail(line.trail) || line.mirrorOf !== undefined) continue;
    const atMs = beganAt(line);
    if (atMs === undefined) continue;
    if (found.length === maxRequests)
      throw new UsageError(`${file} has more than ${maxRequests} requests.`, 'Name a part of it.');
    const [, method = 'POST', path = '/v1/chat/completions'] =
      /^([A-Z]+) (\/\S*)$/.exec(findText(line.route) ?? '') ?? [];
    const model = findText(line.requested_model);
    const planModel = findText(line.planModel);
    found.push({
      ...{ atMs, kind: 0 },
      script: {
        ...{ method, path, headers: {}, metadata: findObject(line.metadata) ?? {}, stream: line.stream === true },
        ...(model !== undefined && { model }),
        ...(planModel !== undefined && { planModel }),
        ...{ seed: findNumber(line.seed) ?? seed, upstream: [] },
      },
    });
  }
  const sorted = found.toSorted((a, b) => a.atMs - b.atMs);
  const [first] = sorted;
  if (first === undefined)
    throw new UsageError(`${file} has no request of a log, and is no traffic profile.`, 'See gw simulate --help.');
  return sorted.map((each) => ({ ...each, atMs: each.atMs - first.atMs }));
};
