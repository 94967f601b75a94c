import type { CompileResult } from '../../schema/plan/plan.ts';

/** One file that may contain a plan. */
export interface SourceFile {
  /** The file's name without its extension. This is the plan's name if its config has none. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** A file that may contain a plan but cannot be read. */
export interface UnreadableFile {
  readonly name: string;
  readonly file: string;
  /** The reason, and what to do. */
  readonly unreadable: string;
}

/** A source of plans: a folder of configs to compile, or of compiled plans. */
export interface PlanSource {
  readonly folder: string;
  /** Reads all files, sorted by name. Rejects if the folder itself cannot be read. */
  read(): Promise<readonly (SourceFile | UnreadableFile)[]>;
  /** Compiles or loads a file. The user's errors are diagnostics. */
  toPlan(source: SourceFile): Promise<CompileResult> | CompileResult;
}
