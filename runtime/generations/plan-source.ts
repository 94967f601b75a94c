import type { CompileResult } from '../../schema/plan.ts';

/** One file that may hold a plan. */
export interface SourceFile {
  /** The file's name without its ending: the plan's, where its config has no name of its own. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** A file that may hold a plan, whose text cannot be read. */
export interface UnreadableFile {
  readonly name: string;
  readonly file: string;
  /** Why, and what to do. */
  readonly unreadable: string;
}

/** Where plans come from: a folder of configs that are compiled, or one of compiled plans. */
export interface PlanSource {
  readonly folder: string;
  /** All files, sorted by name. Rejects where the folder itself cannot be read. */
  read(): Promise<readonly (SourceFile | UnreadableFile)[]>;
  /** User mistakes are diagnostics. */
  toPlan(source: SourceFile): Promise<CompileResult> | CompileResult;
}
