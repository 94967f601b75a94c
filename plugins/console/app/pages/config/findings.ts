import type { Diagnostic, Severity } from '../../../../../compiler/editor/api.ts';
import { fromPointer, type JsonPointer, toPointer } from '../../../../../schema/json/pointer.ts';
import { findRange } from './places.ts';

/** A diagnostic as the control API gives it: its place is one in the body of a request. */
export interface ApiDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly pointer: string;
  readonly message: string;
  readonly hint: string;
}

/** A finding about a text, with its place there. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  readonly pointer: JsonPointer;
  readonly from: number;
  readonly to: number;
}

/** Findings of the compiler in the page. */
export const fromCompiler = (diagnostics: readonly Diagnostic[]): readonly Finding[] =>
  diagnostics.map(({ code, severity, message, hint = '', pointer, span: { offset, length } }) => ({
    ...{ code, severity, message, hint, pointer, from: offset, to: offset + length },
  }));

/** A place in the body of a request as a place in the config: `/config/retry` is `/retry`. */
const inConfig = (pointer: string): JsonPointer => {
  const [first, ...rest] = fromPointer(pointer as JsonPointer);
  return first === 'config' ? toPointer(rest) : toPointer([]);
};

/** Findings of the gateway. Those that the compiler in the page has found too have their exact place from it. */
export const fromGateway = (
  diagnostics: readonly ApiDiagnostic[],
  found: readonly Finding[],
  text: string,
): readonly Finding[] =>
  diagnostics
    .map(({ code, severity, message, hint, pointer: inBody }) => {
      const pointer = inConfig(inBody);
      const same = found.find((each) => each.code === code && each.pointer === pointer);
      const { from, to } = same ?? findRange(text, pointer);
      return { code, severity, message, hint, pointer, from, to };
    })
    .toSorted((a, b) => a.from - b.from);

export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === 'error');
