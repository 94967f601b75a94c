import type { Severity } from '../../../../schema/errors/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';

/** A problem of a request, as the gateway tells it. What it does not say is empty. */
export interface ApiProblem {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly pointer: JsonPointer;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  /** What the compiler calls it. */
  readonly code: string;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const toProblem = (each: JsonObject): ApiProblem => ({
  in: each.in === 'path' || each.in === 'query' ? each.in : 'body',
  pointer: text(each.pointer) as JsonPointer,
  severity: each.severity === 'warning' ? 'warning' : 'error',
  message: text(each.message),
  hint: text(each.hint),
  code: text(each.code),
});

/** The problems that a member of an answer lists: those of a refused request, or the diagnostics of a config. */
export const toProblems = (value: Json | undefined): readonly ApiProblem[] =>
  Array.isArray(value) ? value.filter(isJsonObject).map(toProblem) : [];
