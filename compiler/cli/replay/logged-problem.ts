import { problemText } from '../../../plugins/sdk/logs/problem-text.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { printable } from '../../../schema/text/printable.ts';

/** Formats the problem of a log line as one line. */
export const loggedProblem = (problem: JsonObject): string => `The log says: ${printable(problemText(problem))}`;
