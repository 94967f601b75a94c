import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { type JsonPointer, toOptionPath } from '../../../../schema/json/pointer.ts';
import { cellText, padText, tableText } from './texts.ts';

const endings: Readonly<Record<string, string>> = {
  left: 'the client disconnected before the end of the answer',
  cut: 'the answer was cut before its end',
};

const msText = (ms: number): string => `${Math.round(ms * 10) / 10} ms`;

const placeOf = ({ path }: JsonObject): string | undefined =>
  typeof path === 'string' ? toOptionPath(path as JsonPointer) : undefined;

/** Returns how long an attempt took, as far as it is known. */
const attemptMs = ({ sent_ms: sent, first_byte_ms: first, last_byte_ms: last }: JsonObject): string => {
  const [from, to] = [findNumber(sent), findNumber(last) ?? findNumber(first)];
  return from === undefined || to === undefined ? '-' : msText(to - from);
};

const attemptsText = ({ attempts, source, cache_status: cache }: JsonObject, width: number | undefined): string => {
  const rows = toObjects(attempts);
  if (rows.length > 0)
    return `\n${tableText({
      head: ['TARGET', 'PLACE', 'ATTEMPT', 'STATUS', 'CAUSE', 'TIME'],
      rows: rows.map((row) => [
        ...[row.target, placeOf(row), row.attempt, row.status, row.cause].map((each) => cellText(each)),
        attemptMs(row),
      ]),
      width,
    })}`;
  if (source === 'sent') return '';
  const isCached = findText(cache)?.endsWith('HIT') === true;
  return `\nNo provider was asked${isCached ? ': a cache had the answer' : ''}.\n`;
};

/** Names the checks of a guardrail that failed with an error and therefore gave no verdict. */
const erredText = (checks: Json | undefined): string => {
  const erred = toObjects(checks).filter(({ erred: hasErred }) => hasErred === true);
  return erred.length === 0 ? '' : ` (${erred.map(({ id }) => cellText(id)).join(' and ')} failed with an error)`;
};

/** Lists the guardrails that a request or its answer did not pass, and those that failed with an error. */
const failedChecks = ({ checks }: JsonObject): string =>
  toObjects(checks)
    .flatMap(({ id, phase, deny, verdict, checks: parts }) => {
      const erred = erredText(parts);
      if (verdict !== false && erred === '') return [];
      const judged = phase === 'output' ? 'the answer' : 'the request';
      const found = verdict === false ? 'did not pass' : 'let pass';
      return `${cellText(id)} ${deny === true ? 'denied' : found} ${judged}${erred}`;
    })
    .join(', ');

/** The label that the gateway adds to each request. */
const ownLabel = '_organisation';

const labelsText = ({ metadata }: JsonObject): string =>
  Object.entries(findObject(metadata) ?? {})
    .filter(([name]) => name !== ownLabel)
    .map(([name, value]) => `${name}=${cellText(value)}`)
    .join(', ');

/** Summarises what happened to a request: how it ended, its problem, and each attempt. */
export const requestText = (record: JsonObject, width: number | undefined): string => {
  const { time, status, ms, end, model, requested_model: requested, config, problem, error, method, path } = record;
  const took = findNumber(ms);
  const ending = endings[findText(end) ?? ''];
  const rows: readonly (readonly [label: string, value: Json | undefined])[] = [
    ['time', time],
    ['request', [method, path].flatMap((each) => findText(each) ?? []).join(' ')],
    [
      'status',
      [cellText(status), ending, took === undefined ? undefined : `after ${msText(took)}`].filter(Boolean).join(', '),
    ],
    ['model', model ?? requested],
    ['config', config],
    ['labels', labelsText(record)],
    ['checks', failedChecks(record)],
    ['problem', problem],
    ['error', error],
  ];
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '');
  const lines = shown.map(
    ([label, value]) => `${padText(label, 7)}  ${cellText(value, label === 'problem' ? 'problem' : 'value')}\n`,
  );
  return `${lines.join('')}${attemptsText(record, width)}`;
};
