import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditorFindings, QuickFix } from '../../../../../compiler/editor/api.ts';
import type { RoutingPlan } from '../../../../../schema/plan/plan.ts';
import { acrossSessions } from '../../api/across-sessions.ts';
import { type ApiError, asApiError } from '../../api/error.ts';
import type { Compiler } from './compiler.ts';
import { type ApiDiagnostic, type Finding, fromCompiler, fromGateway } from './findings.ts';

/** The change in behaviour, as the control API returns it. */
export interface Comparison {
  readonly same: boolean;
  readonly complete: boolean;
  readonly text: string;
}

/** The response of the gateway to a dry run of a text. */
export interface DryRun {
  readonly diagnostics: readonly ApiDiagnostic[];
  readonly bounds: { readonly leaves: number; readonly attempts: number; readonly longest_ms: number } | null;
  readonly comparison: Comparison | null;
}

/** Everything known about a text so far. */
export interface CheckedText {
  readonly findings: readonly Finding[];
  /** The quick fixes of findings, by the index of the finding. */
  readonly fixes: readonly (readonly QuickFix[])[];
  /** The plan of the last text that compiled. */
  readonly plan: RoutingPlan | undefined;
  /** Whether `plan` belongs to this text. */
  readonly isPlanCurrent: boolean;
  /** Whether the compiler on the page has checked this text. */
  readonly isCompiled: boolean;
  /** The dry run of this text; undefined until it has ended, and if the key does not allow one. */
  readonly dryRun: DryRun | undefined;
  /** Why the gateway refused to check this text. */
  readonly refused: ApiError | undefined;
  /** Whether the compiler on the page does not respond. The gateway may still check the text. */
  readonly compilerFailed: boolean;
}

export interface TextChecks {
  readonly compiler: Compiler | undefined;
  /** Checks the config with a dry run of the gateway; absent if the key does not allow it. */
  readonly dryRun?: ((config: unknown, signal: AbortSignal) => Promise<DryRun>) | undefined;
}

/** The delay after the last keystroke, in milliseconds. */
const compileAfter = 150;
const dryRunAfter = 600;
/** Nobody reads the fixes of more findings than this at once. */
const maxFixed = 10;

const unchecked: CheckedText = {
  ...{ findings: [], fixes: [], plan: undefined, isPlanCurrent: false, isCompiled: false },
  ...{ dryRun: undefined, refused: undefined, compilerFailed: false },
};

/** Parses a JSON text. Returns undefined if it is not an object. */
export const parseConfig = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Checks a text while it is typed: first with the compiler on the page, a moment later with the gateway, whose result is
 * authoritative. Drops results for a text that has changed meanwhile.
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
        const answer = await acrossSessions(() => dryRun(config, signal), signal);
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
