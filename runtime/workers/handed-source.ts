import type { PlanSource } from '../file-plans/plan-source.ts';
import type { HandedFiles } from './calls.ts';

export interface HandedSource {
  /** Replaces the folder that a worker would read itself. */
  readonly wrap: (own: PlanSource) => PlanSource;
  /** Sets the files that the next reading finds. */
  hand(files: HandedFiles): void;
}

/** The files of a worker: those that its owner sends to all, so that no worker reads others than the rest. */
export const handedSource = (first: HandedFiles): HandedSource => {
  let files = first;
  return {
    wrap: (own) => ({ folder: own.folder, read: async () => files, toPlan: (source) => own.toPlan(source) }),
    hand: (next) => {
      files = next;
    },
  };
};
