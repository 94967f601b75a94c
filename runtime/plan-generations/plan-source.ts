import type { CompileResult } from '../../schema/plan/plan.ts';

/** One file that may contain a plan. */
export interface SourceFile {
  /** The file's name without its extension: the plan's name if its config has none. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** A file that may contain a plan but cannot be read. */
export interface UnreadableFile {
  readonly name: string;
  readonly file: string;
  /** Why, and what to do. */
  readonly unreadable: string;
}

/** Where plans come from: a folder of configs that are compiled, or one of compiled plans. */
export interface PlanSource {
  readonly folder: string;
  /** All files, sorted by name. Rejects if the folder itself cannot be read. */
  read(): Promise<readonly (SourceFile | UnreadableFile)[]>;
  /** The user's errors are diagnostics. */
  toPlan(source: SourceFile): Promise<CompileResult> | CompileResult;
}
