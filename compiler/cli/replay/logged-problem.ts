import { problemText } from '../../../plugins/sdk/logs/problem-text.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { printable } from '../../../schema/text/printable.ts';

/** The problem of a log line, on one line. */
export const loggedProblem = (problem: JsonObject): string => `The log says: ${printable(problemText(problem))}`;
