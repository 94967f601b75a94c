import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditorFindings, QuickFix } from '../../../../../compiler/editor/api.ts';
import type { RoutingPlan } from '../../../../../schema/plan/plan.ts';
import { type ApiError, asApiError } from '../../api/error.ts';
import type { Compiler } from './compiler.ts';
import { type ApiDiagnostic, type Finding, fromCompiler, fromGateway } from './findings.ts';

/** The change in behaviour, as the control API gives it. */
export interface Comparison {
  readonly same: boolean;
  readonly complete: boolean;
  readonly text: string;
}

/** The answer of the gateway to a text that is not saved. */
export interface DryRun {
  readonly diagnostics: readonly ApiDiagnostic[];
  readonly bounds: { readonly leaves: number; readonly attempts: number; readonly longest_ms: number } | null;
  readonly comparison: Comparison | null;
}

/** All that is known of a text so far. */
export interface CheckedText {
  readonly findings: readonly Finding[];
  /** The changes that mend findings, by their index. */
  readonly fixes: readonly (readonly QuickFix[])[];
  /** The plan of the last text that had one. */
  readonly plan: RoutingPlan | undefined;
  /** Whether `plan` is of this text. */
  readonly isPlanCurrent: boolean;
  /** Whether the compiler in the page has answered about this text. */
  readonly isCompiled: boolean;
  /** The gateway's answer to this text; undefined while it is awaited, and where the key may not ask. */
  readonly dryRun: DryRun | undefined;
  /** Why the gateway refuses to check this text. */
  readonly refused: ApiError | undefined;
  /** Whether the compiler in the page does not answer. The gateway still does, where it is asked. */
  readonly compilerFailed: boolean;
}

export interface TextChecks {
  readonly compiler: Compiler | undefined;
  /** Asks the gateway about the config; absent where the key may not. */
  readonly dryRun?: ((config: unknown, signal: AbortSignal) => Promise<DryRun>) | undefined;
}

/** After the last key, in milliseconds. */
const compileAfter = 150;
const dryRunAfter = 600;
/** Of more findings at once nobody reads the fixes. */
const maxFixed = 10;

const unchecked: CheckedText = {
  ...{ findings: [], fixes: [], plan: undefined, isPlanCurrent: false, isCompiled: false },
  ...{ dryRun: undefined, refused: undefined, compilerFailed: false },
};

/** The value of a JSON text; undefined if it is none. */
export const parseConfig = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Checks a text while it is written: at once by the compiler in the page, and a moment later by the gateway, whose word
 * counts. Answers about a text that has changed meanwhile are dropped.
 */
export const useCheckedText = (text: string, { compiler, dryRun }: TextChecks): CheckedText => {
  const [state, setState] = useState<CheckedText & { readonly of: string }>({ ...unchecked, of: '' });
  const latest = useRef(text);
  latest.current = text;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const isCurrent = (): boolean => !signal.aborted && latest.current === text;
    setState(({ plan, findings }) => ({ ...unchecked, plan, findings, of: text }));
    const compileNow = async (): Promise<readonly Finding[]> => {
      if (compiler === undefined) return [];
      const { diagnostics, plan }: EditorFindings = await compiler.ask(text, { about: 'findings' });
      const findings = fromCompiler(diagnostics);
      if (isCurrent())
        setState((before) => ({
          ...before,
          findings,
          plan: plan ?? before.plan,
          isPlanCurrent: plan !== undefined,
          isCompiled: true,
        }));
      return findings;
    };
    const findFixes = async (findings: readonly Finding[]): Promise<void> => {
      if (compiler === undefined || findings.length === 0) return;
      const fixes: (readonly QuickFix[])[] = [];
      for (const { from, to } of findings.slice(0, maxFixed)) {
        if (!isCurrent()) return;
        fixes.push(await compiler.ask(text, { about: 'fixes', range: { offset: from, length: to - from } }));
      }
      if (isCurrent()) setState((before) => ({ ...before, fixes }));
    };
    const askGateway = async (found: readonly Finding[]): Promise<readonly Finding[]> => {
      const config = parseConfig(text);
      if (dryRun === undefined || config === undefined) return found;
      try {
        const answer = await dryRun(config, signal);
        const findings = fromGateway(answer.diagnostics, found, text);
        if (isCurrent()) setState((before) => ({ ...before, findings, dryRun: answer, refused: undefined }));
        return findings;
      } catch (thrown) {
        if (isCurrent()) setState((before) => ({ ...before, refused: asApiError(thrown) }));
        return found;
      }
    };
    const timers = [
      setTimeout(async () => {
        let found: readonly Finding[] = [];
        try {
          found = await compileNow();
        } catch {
          if (isCurrent()) setState((before) => ({ ...before, compilerFailed: true }));
        }
        if (!isCurrent()) return;
        timers.push(
          setTimeout(async () => {
            const findings = await askGateway(found);
            await findFixes(findings).catch(() => {});
          }, dryRunAfter - compileAfter),
        );
      }, compileAfter),
    ];
    return () => {
      controller.abort();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [text, compiler, dryRun]);
  return state.of === text ? state : { ...unchecked, plan: state.plan, findings: state.findings };
};
