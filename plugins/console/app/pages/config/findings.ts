import type { Diagnostic, Severity } from '../../../../../compiler/editor/api.ts';
import { fromPointer, type JsonPointer, toPointer } from '../../../../../schema/json/pointer.ts';
import { findRange } from './places.ts';

/** A diagnostic of the control API. Its pointer is a place in the request body. */
export interface ApiDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly pointer: string;
  readonly message: string;
  readonly hint: string;
}

/** A finding about a text, with its place in the text. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  readonly pointer: JsonPointer;
  readonly from: number;
  readonly to: number;
}

/** Converts the findings of the compiler on the page. */
export const fromCompiler = (diagnostics: readonly Diagnostic[]): readonly Finding[] =>
  diagnostics.map(({ code, severity, message, hint = '', pointer, span: { offset, length } }) => ({
    ...{ code, severity, message, hint, pointer, from: offset, to: offset + length },
  }));

/** Converts a place in a request body into a place in the config: `/config/retry` becomes `/retry`. */
const inConfig = (pointer: string): JsonPointer => {
  const [first, ...rest] = fromPointer(pointer as JsonPointer);
  return first === 'config' ? toPointer(rest) : toPointer([]);
};

/** Converts the findings of the gateway. Those that the compiler on the page also found take their exact place from it. */
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
