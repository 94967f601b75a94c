import type { Severity } from '../../../../schema/errors/diagnostic.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';

/** A problem of a request, as the gateway reports it. What it does not say is empty. */
export interface ApiProblem {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly pointer: JsonPointer;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  /** What the compiler calls it. */
  readonly code: string;
}

const text = (value: Json | undefined): string => findText(value) ?? '';

const toProblem = (each: JsonObject): ApiProblem => ({
  in: each.in === 'path' || each.in === 'query' ? each.in : 'body',
  pointer: text(each.pointer) as JsonPointer,
  severity: each.severity === 'warning' ? 'warning' : 'error',
  message: text(each.message),
  hint: text(each.hint),
  code: text(each.code),
});

/** Reads the problems that a member of an answer lists: those of a refused request, or the diagnostics of a config. */
export const toProblems = (value: Json | undefined): readonly ApiProblem[] => toObjects(value).map(toProblem);

/** The answer of a gateway that does not do what it was asked. */
export interface ApiRefusal {
  readonly status: number;
  /** The whole answer. */
  readonly body: Json;
  /** What programs know the refusal by; empty if it says nothing. */
  readonly code: string;
  readonly message: string;
  readonly problems: readonly ApiProblem[];
}

/** Thrown for an answer that is none of success. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly refusal: ApiRefusal;

  constructor(refusal: ApiRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Reads an answer that is none of success. */
export const toRefusal = (status: number, body: Json): ApiRefusal => {
  const answer = findObject(body) ?? {};
  const report = findObject(answer.error) ?? answer;
  return {
    status,
    body,
    code: text(report.code),
    message: text(report.message) || `The gateway answered with the status ${status}.`,
    problems: toProblems(report.errors),
  };
};
