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

/** What the gateway answered instead of doing what it was asked. */
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

const findMember = (value: Json, member: string): Json | undefined => (isJsonObject(value) ? value[member] : undefined);

const findMessage = ({ message }: JsonObject): string | undefined =>
  typeof message === 'string' && message !== '' ? message : undefined;

/** Reads an answer that is none of success. */
export const toRefusal = (status: number, body: Json): ApiRefusal => {
  const error = findMember(body, 'error');
  const report = isJsonObject(error) ? error : isJsonObject(body) ? body : {};
  return {
    status,
    body,
    code: typeof report.code === 'string' ? report.code : '',
    message: findMessage(report) ?? `The gateway answered with the status ${status}.`,
    problems: toProblems(report.errors),
  };
};
