import type { Severity } from '../../schema/errors/diagnostic.ts';
import type { MessageParams } from '../../schema/text/message.ts';
import { conditionDiagnostics } from './table/condition-diagnostics.ts';
import { credentialDiagnostics } from './table/credential-diagnostics.ts';
import { guardrailDiagnostics } from './table/guardrail-diagnostics.ts';
import { nameDiagnostics } from './table/name-diagnostics.ts';
import { settingDiagnostics } from './table/setting-diagnostics.ts';
import { shapeDiagnostics } from './table/shape-diagnostics.ts';
import { statusDiagnostics } from './table/status-diagnostics.ts';
import { textDiagnostics } from './table/text-diagnostics.ts';
import { weightDiagnostics } from './table/weight-diagnostics.ts';

interface DiagnosticRow {
  readonly severity: Severity;
  /** One full sentence: the fact. */
  readonly text: string;
  /** Says what to do. */
  readonly hint: string;
}

type DiagnosticTable = typeof textDiagnostics &
  typeof shapeDiagnostics &
  typeof nameDiagnostics &
  typeof weightDiagnostics &
  typeof statusDiagnostics &
  typeof conditionDiagnostics &
  typeof credentialDiagnostics &
  typeof guardrailDiagnostics &
  typeof settingDiagnostics;

/** Everything the compiler may say. Codes are stable; texts may be improved. */
export const diagnosticTable: DiagnosticTable = {
  ...textDiagnostics,
  ...shapeDiagnostics,
  ...nameDiagnostics,
  ...weightDiagnostics,
  ...statusDiagnostics,
  ...conditionDiagnostics,
  ...credentialDiagnostics,
  ...guardrailDiagnostics,
  ...settingDiagnostics,
};
diagnosticTable satisfies Readonly<Record<string, DiagnosticRow>>;

export type DiagnosticCode = keyof typeof diagnosticTable;

/** The parameters of a code's text and hint. */
export type DiagnosticParams<Code extends DiagnosticCode> =
  MessageParams<`${DiagnosticTable[Code]['text']} ${DiagnosticTable[Code]['hint']}`>;
