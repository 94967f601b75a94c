import { findText } from '../../../../schema/json/loose.ts';
import { RefusalError, toProblems } from '../client/ask-gateway.ts';
import { CommandFailure, type ControlServices, type ExitCode, runFailure } from '../command-line/services.ts';
import { type BodyOrigin, type FileOfBody, formatProblems, noOrigin } from '../resources/format-problems.ts';
import { reportRefusal } from '../resources/format-refusal.ts';
import type { Names } from './changes/names.ts';
import type { Step } from './changes/step.ts';
import type { KeysFile } from './keys-file.ts';
import { workspaceKind } from './kinds/kinds.ts';
import {
  changeBody,
  changeVersioned,
  clearSettings,
  creationBody,
  deleteRecord,
  idIn,
  ifMatch,
  labelFirst,
} from './requests.ts';
import type { ApiAnswer, ApplyApi } from './store/api.ts';
import type { Ownership } from './store/ownership.ts';
import type { StoredRecord } from './store/read-store.ts';

const versioned = ['prompts', 'partials'];

/** The parts that running a plan needs. */
export interface RunParts {
  readonly api: ApplyApi;
  readonly names: Names;
  readonly ownership: Ownership;
  readonly keys: KeysFile | undefined;
  readonly services: Pick<ControlServices, 'out' | 'err' | 'render' | 'onStop'>;
}

type Creation = Extract<Step, { readonly action: 'create' | 'replace' | 'change' }>;

/** A step has no flags: all of its body comes from its file. */
const originOf = (file: FileOfBody | undefined): BodyOrigin => ({ ...noOrigin, file });

/** The kinds of records that the settings of a workspace name. */
const ofSettings = ['configs', 'guardrails'];

/** How many steps run before the records that they created are noted in the store. */
const noteEvery = 100;

/** Runs the steps of a plan one after another, and notes in the store what they have created. */
class PlanRun {
  readonly #parts: RunParts;
  /** The workspaces that the plan deletes and whose settings still name records, by their slugs. */
  readonly #leaving: Map<string, StoredRecord>;
  #unnoted = 0;

  constructor(steps: readonly Step[], parts: RunParts) {
    this.#parts = parts;
    this.#leaving = new Map(
      steps.flatMap((step) =>
        step.action === 'delete' && step.kind === workspaceKind ? [[step.handle, step.found]] : [],
      ),
    );
  }

  /** Notes what is about to be created, so that it is recognised as created by this folder however the run ends. */
  async begin(steps: readonly Step[]): Promise<void> {
    const { owned } = this.#parts.ownership;
    for (const { action, key, kind, place, handle } of steps)
      if (action === 'create') owned.set(key, { kind, place, handle, isAdopted: false });
    await this.#parts.ownership.save();
  }

  /**
   * Removes the notes of records that were not created after all, so that records which others create under these names are never
   * mistaken for this folder's.
   */
  takeBack(steps: readonly Step[]): void {
    const { owned } = this.#parts.ownership;
    for (const { action, key } of steps) if (action === 'create' && owned.get(key)?.id === undefined) owned.delete(key);
  }

  async step(step: Step): Promise<void> {
    if (step.action === 'create') await this.#create(step, step.later);
    else if (step.action === 'replace') await this.#replace(step);
    else if (step.action === 'change') await this.#change(step);
    else {
      if (step.action === 'delete') await this.#delete(step);
      this.#parts.ownership.owned.delete(step.key);
    }
    this.#unnoted += 1;
    if (this.#unnoted >= noteEvery || ('wanted' in step && step.action !== 'change' && step.kind.byName))
      await this.note();
  }

  async note(): Promise<void> {
    this.#unnoted = 0;
    await this.#parts.ownership.save();
  }

  /** Sets the members that had to wait for the records that they refer to. */
  async later(step: Creation, members: readonly string[]): Promise<void> {
    const { api, names } = this.#parts;
    const { kind, place, wanted, key } = step;
    const body = Object.fromEntries(
      Object.entries(creationBody(wanted, names)).filter(([name]) => members.includes(name)),
    );
    const id = this.#parts.ownership.owned.get(key)?.id ?? wanted.handle;
    await api.ask({ method: 'PUT', path: `${kind.path}/${id}`, body }, place);
  }

  /** Prints the warnings of a response, at the lines of the file that they are about. */
  #warn({ body }: ApiAnswer, { file }: Creation['wanted']): void {
    const { services } = this.#parts;
    services.err.write(formatProblems(toProblems(body.diagnostics), originOf(file), services));
  }

  async #create({ key, kind, place, handle, wanted }: Creation, later: readonly string[] = []): Promise<void> {
    const { api, names, ownership, keys } = this.#parts;
    const answer = await api.ask({ method: 'POST', path: kind.path, body: creationBody(wanted, names, later) }, place);
    this.#warn(answer, wanted);
    const id = idIn(answer);
    if (id === undefined)
      throw runFailure(`The gateway did not return the id of ${key}.`, 'Use a gw of the same version.');
    names.note(id, { kind, place, handle, name: findText(wanted.body.name) });
    ownership.owned.set(key, { kind, place, handle, id, isAdopted: false });
    if (kind.folder === 'keys') await keys?.write(key, { id, text: findText(answer.body.key) ?? '' });
    if (kind.folder === 'prompts') await labelFirst(api, { wanted, names, id });
  }

  /** Creates the new record first. If that is refused, the existing one stays and continues to apply its limits. */
  async #replace(step: Extract<Step, { readonly action: 'change' | 'replace' }>): Promise<void> {
    const { api } = this.#parts;
    const { key, kind, place, handle, found } = step;
    const { owned } = this.#parts.ownership;
    const before = owned.get(key);
    await this.#create(step);
    try {
      await deleteRecord(api, found);
    } catch (error) {
      const id = owned.get(key)?.id ?? '';
      await api.ask({ method: 'DELETE', path: `${kind.path}/${encodeURIComponent(id)}` }, place);
      owned.set(key, before ?? { kind, place, handle, id: found.id, isAdopted: true });
      throw error;
    }
  }

  /** Deletes a record. The settings of a workspace that is deleted too no longer name it. */
  async #delete({ kind, place, handle, found }: Extract<Step, { readonly action: 'delete' }>): Promise<void> {
    const { api } = this.#parts;
    const workspace = ofSettings.includes(kind.folder) ? this.#leaving.get(place ?? '') : undefined;
    if (workspace !== undefined) this.#leaving.set(workspace.name, await clearSettings(api, workspace));
    await deleteRecord(api, kind === workspaceKind ? (this.#leaving.get(handle) ?? found) : found);
  }

  async #change(step: Extract<Step, { readonly action: 'change' | 'replace' }>): Promise<void> {
    const { api, names, ownership } = this.#parts;
    const { key, kind, place, handle, wanted, found } = step;
    if (step.changes.length > 0) {
      if (versioned.includes(kind.folder)) await changeVersioned(api, { wanted, found, names });
      else {
        const body = changeBody(wanted, found, names);
        const path = `${kind.path}/${encodeURIComponent(found.id)}`;
        this.#warn(await api.ask({ method: 'PUT', path, ...ifMatch(found.etag), body }, place), wanted);
      }
    }
    names.note(found.id, { kind, place, handle, name: findText(wanted.body.name) });
    const before = ownership.owned.get(key);
    const isAdopted = before?.isAdopted ?? true;
    ownership.owned.set(key, { kind, place, handle, id: found.id, isAdopted });
  }
}

const done: Readonly<Record<Step['action'], string>> = {
  create: 'created',
  change: 'changed',
  replace: 'replaced, and counts from zero',
  delete: 'deleted',
  release: 'released',
};

/** Prints why a step failed, at the line of its file if the gateway reports one. */
const report = (error: unknown, step: Step | undefined, { services, api }: RunParts): ExitCode => {
  const file = step !== undefined && 'wanted' in step ? step.wanted.file : undefined;
  if (step !== undefined) services.err.write(`gw: ${step.key} failed.\n`);
  if (error instanceof RefusalError) {
    return reportRefusal(error, { access: api.access, origin: originOf(file) }, services);
  }
  if (!(error instanceof CommandFailure)) throw error;
  services.err.write(`gw: ${`${error.message} ${error.hint}`.trimEnd()}\n`);
  return 1;
};

/** Thrown between two steps when a signal asks the command to end. */
class StoppedError extends CommandFailure {
  constructor() {
    super('The command was stopped.', '', 1);
  }
}

/** Statuses with which a gateway rejects the content of a request. Repeating the same request does not help. */
const invalidStatuses: readonly number[] = [400, 413, 422];

/** Returns how to continue after a failed step. */
const wayOn = (error: unknown, step: Step | undefined): string => {
  const isInvalid = error instanceof RefusalError && invalidStatuses.includes(error.refusal.status);
  if (!isInvalid || step === undefined || !('wanted' in step)) return 'Run the command again to continue.';
  return `Correct ${step.wanted.file.name} first. Then run the command again to continue.`;
};

/**
 * Runs the steps of a plan, and prints each completed step. A failure ends the run. A signal ends it after the current step, so
 * that a key that is being created is written first. The remaining steps are printed.
 */
export const runPlan = async (steps: readonly Step[], parts: RunParts): Promise<ExitCode> => {
  const { services } = parts;
  const run = new PlanRun(steps, parts);
  let at = 0;
  let current: Step | undefined;
  let hasBegun = false;
  let isStopped = false;
  const stopListening = services.onStop(() => {
    isStopped = true;
    services.err.write('gw: The current step is finished first. Press Control-C again to stop immediately.\n');
  });
  const waiting: (() => Promise<void>)[] = [];
  const settle = async (): Promise<void> => {
    for (const set of waiting.splice(0)) await set();
  };
  try {
    await run.begin(steps);
    hasBegun = true;
    for (; at < steps.length; at += 1) {
      current = steps[at];
      if (current === undefined) break;
      const step = current;
      if (isStopped) {
        current = undefined;
        throw new StoppedError();
      }
      if (step.action === 'delete') await settle();
      await run.step(step);
      services.out.write(`${step.key}: ${done[step.action]}\n`);
      if (step.action === 'create' && step.later !== undefined && step.later.length > 0) {
        const { later } = step;
        waiting.push(() => {
          current = step;
          return run.later(step, later);
        });
      }
    }
    await settle();
    current = undefined;
    await run.note();
    return 0;
  } catch (error) {
    const code = report(error, current, parts);
    // If there was no response, or one of a failing gateway, the record may have been created.
    const isUnmade = error instanceof StoppedError || (error instanceof RefusalError && error.refusal.status < 500);
    run.takeBack(steps.slice(isUnmade ? at : at + 1));
    if (hasBegun)
      await run.note().catch(() => {
        services.err.write(
          'gw: The created records could not be noted in the store. The next run finds them by their names.\n',
        );
      });
    const left = steps.slice(at).map(({ key }) => key);
    services.err.write(`gw: ${at} of ${steps.length} are done. Not done:\n${left.map((key) => `  ${key}\n`).join('')}`);
    services.err.write(`gw: ${wayOn(error, current)}\n`);
    return code;
  } finally {
    stopListening();
  }
};
