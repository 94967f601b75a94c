import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json.ts';
import type { JsonPointer } from '../../../../schema/pointer.ts';
import type { LocatedFinding } from '../services.ts';

/** A problem of a request, as the gateway tells it. */
export interface ApiProblem {
  readonly in: 'path' | 'query' | 'body';
  readonly pointer: JsonPointer;
  readonly message: string;
  readonly hint: string;
  /** What the compiler calls it; empty if it is none of the compiler's. */
  readonly code: string;
}

/** What the gateway answered instead of doing what it was asked. */
export interface ApiRefusal {
  readonly status: number;
  /** The whole answer. */
  readonly body: Json;
  readonly message: string;
  readonly problems: readonly ApiProblem[];
  /** What is wrong with the config of the request. */
  readonly findings: readonly LocatedFinding[];
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

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const objects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const toProblem = (each: JsonObject): ApiProblem => ({
  in: each.in === 'path' || each.in === 'query' ? each.in : 'body',
  pointer: text(each.pointer) as JsonPointer,
  message: text(each.message),
  hint: text(each.hint),
  code: text(each.code),
});

/** The diagnostics of a config that an answer lists; what is none is left out. */
export const toFindings = (value: Json | undefined): readonly LocatedFinding[] =>
  objects(value).map((each) => ({
    code: text(each.code),
    severity: each.severity === 'warning' ? 'warning' : 'error',
    message: text(each.message),
    ...(typeof each.hint === 'string' && { hint: each.hint }),
    pointer: text(each.pointer) as JsonPointer,
  }));

const messageOf = (body: Json): string => {
  if (!isJsonObject(body)) return '';
  return isJsonObject(body.error) ? text(body.error.message) : text(body.message);
};

/** Reads an answer that is none of success. What is missing in it is empty. */
export const toRefusal = (status: number, body: Json): ApiRefusal => {
  const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : {};
  return {
    status,
    body,
    message: messageOf(body) || `The gateway answered with the status ${status}.`,
    problems: objects(error.errors).map(toProblem),
    findings: toFindings(error.diagnostics),
  };
};
