import type { Severity } from '../../schema/errors/diagnostic.ts';
import type { MessageParams } from '../../schema/text/message.ts';
import { credentialDiagnostics } from './table/credential-diagnostics.ts';
import { nameDiagnostics } from './table/name-diagnostics.ts';
import { routingDiagnostics } from './table/routing-diagnostics.ts';
import { settingDiagnostics } from './table/setting-diagnostics.ts';
import { shapeDiagnostics } from './table/shape-diagnostics.ts';

interface DiagnosticRow {
  readonly severity: Severity;
  /** The fact, in one full sentence. */
  readonly text: string;
  /** The advice on what to do. */
  readonly hint: string;
}

type DiagnosticTable = typeof shapeDiagnostics &
  typeof nameDiagnostics &
  typeof routingDiagnostics &
  typeof credentialDiagnostics &
  typeof settingDiagnostics;

/** All diagnostics of the compiler. Codes are stable; texts may be improved. */
export const diagnosticTable: DiagnosticTable = {
  ...shapeDiagnostics,
  ...nameDiagnostics,
  ...routingDiagnostics,
  ...credentialDiagnostics,
  ...settingDiagnostics,
};
diagnosticTable satisfies Readonly<Record<string, DiagnosticRow>>;

export type DiagnosticCode = keyof typeof diagnosticTable;

/** The parameters of a code's text and hint. */
export type DiagnosticParams<Code extends DiagnosticCode> =
  MessageParams<`${DiagnosticTable[Code]['text']} ${DiagnosticTable[Code]['hint']}`>;
