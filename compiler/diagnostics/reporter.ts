import { withoutCredentials } from '../../schema/credentials/credential-form.ts';
import type { Diagnostic, Severity, Span } from '../../schema/errors/diagnostic.ts';
import type { Fix } from '../../schema/errors/fix.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';
import { formatMessage } from '../../schema/text/message.ts';
import { type DiagnosticCode, type DiagnosticParams, diagnosticTable } from './table.ts';

/** The side of a member that a diagnostic is about. */
export type Part = 'key' | 'value';

/** The part of a document that a finding is about. */
export interface Place {
  readonly pointer: JsonPointer;
  readonly part: Part;
  /** How to correct it. */
  readonly fix?: Fix | undefined;
}

/** A text with findings: its name, and the place of each of its parts. */
export interface Located {
  readonly file?: string;
  readSpan(pointer: JsonPointer, part: Part): Span;
}

/**
 * The maximum number of findings that are kept, so that the config of a request cannot make the gateway collect them without
 * limit. An error replaces a warning or a note, because otherwise nobody could see why there is no plan.
 */
const maxDiagnostics = 200;

/** A diagnostic with a code of the table. */
export interface ReportedDiagnostic extends Diagnostic {
  readonly code: DiagnosticCode;
}

/** Thrown by a reporter with `stops`, with its findings so far: later findings would not be kept. */
export class TooManyDiagnostics extends Error {
  readonly diagnostics: readonly ReportedDiagnostic[];

  constructor(diagnostics: readonly ReportedDiagnostic[]) {
    super(`There are ${diagnostics.length} findings.`);
    this.diagnostics = diagnostics;
  }
}

/** Collects findings. A finding that is reported twice is kept once. */
export interface Reporter {
  report<Code extends DiagnosticCode>(code: Code, place: Place, params: DiagnosticParams<Code>): void;
  /** Reports at a place that a pointer cannot name, such as the second of two equal keys. */
  reportAt<Code extends DiagnosticCode>(
    code: Code,
    at: { readonly pointer: JsonPointer; readonly span: Span; readonly fix?: Fix | undefined },
    params: DiagnosticParams<Code>,
  ): void;
  /** In the order of the text. */
  diagnostics(): readonly ReportedDiagnostic[];
  readonly failed: boolean;
  /** Whether the maximum number of findings is reached, so that further ones are not kept. */
  readonly full: boolean;
}

/** The place of a finding that has no text, or whose text has no such place. */
export const nowhere: Span = { offset: 0, length: 0, line: 1, column: 1 };

const longest = 120;

/** Returns a text on one line, without control characters and credentials. */
export const onOneLine = (value: string | number): string =>
  withoutCredentials(String(value)).replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '\uFFFD');

/** Prepares a user's text for a message; long texts are cut. */
const presentable = (value: string | number): string => {
  const text = onOneLine(value);
  return text.length > longest ? `${text.slice(0, longest).replace(/\p{Cs}$/u, '')}…` : text;
};

/**
 * Hints and the requirements of schemas may be long, because they are our own text around names of users. Only what users wrote
 * is cut.
 */
const presentableParams = (params: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      name === 'suggestion' || name === 'form' ? onOneLine(value) : presentable(value),
    ]),
  );

const inTextOrder = (a: Diagnostic, b: Diagnostic): number =>
  a.span.offset - b.span.offset || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);

export interface ReporterOptions {
  /** Whether it throws `TooManyDiagnostics` when it is full and one of the findings is an error. */
  readonly stops?: boolean;
  /** Whether findings include fixes. Nobody fixes the config of a request automatically. */
  readonly fixes?: boolean;
}

export const createReporter = (
  { file, readSpan }: Located,
  { stops = false, fixes = false }: ReporterOptions = {},
): Reporter => {
  const found = new Map<string, ReportedDiagnostic>();
  let failed = false;
  const diagnostics = (): readonly ReportedDiagnostic[] => [...found.values()].sort(inTextOrder);
  /** Makes room for a finding. Returns whether it can be kept. */
  const makeRoom = (severity: Severity): boolean => {
    if (found.size < maxDiagnostics) return true;
    if (severity !== 'error') return false;
    const spare = [...found].findLast(([, each]) => each.severity !== 'error');
    return spare !== undefined && found.delete(spare[0]);
  };
  const stopIfFull = (): void => {
    if (stops && failed && found.size >= maxDiagnostics) throw new TooManyDiagnostics(diagnostics());
  };
  const reportAt: Reporter['reportAt'] = (code, { pointer, span, fix }, params) => {
    const { severity, text, hint } = diagnosticTable[code];
    failed ||= severity === 'error';
    if (!makeRoom(severity)) {
      stopIfFull();
      return;
    }
    const values = presentableParams(params as object);
    const message = formatMessage(text as never, values as never);
    const advice = formatMessage(hint as never, values as never);
    const key = `${code} ${span.offset} ${message}`;
    const before = found.get(key);
    // The parts of a YAML anchor are found again wherever it is repeated. They are corrected where they are written.
    if (before !== undefined && before.pointer !== pointer) return;
    found.set(key, {
      code,
      severity,
      message,
      ...(advice === '' ? {} : { hint: advice }),
      ...(file === undefined ? {} : { file }),
      pointer,
      span,
      ...(fix === undefined || !fixes ? {} : { fix }),
    });
    stopIfFull();
  };
  return {
    report: (code, { pointer, part, fix }, params) => {
      const isKept = found.size < maxDiagnostics || diagnosticTable[code].severity === 'error';
      const span = isKept ? readSpan(pointer, part) : nowhere;
      reportAt(code, { pointer, span, fix }, params);
    },
    reportAt,
    diagnostics,
    get failed() {
      return failed;
    },
    get full() {
      return found.size >= maxDiagnostics;
    },
  };
};
