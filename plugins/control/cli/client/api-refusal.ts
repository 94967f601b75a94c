import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { type ApiProblem, toProblems } from './api-problem.ts';

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
