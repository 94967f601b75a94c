import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonPointer } from '../../../../../schema/json/pointer.ts';
import { toDuration } from '../../components/formats.ts';
import { ErrorText, Notice } from '../../components/states.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { PlanPicture } from '../../plan-picture/plan-picture.tsx';
import { texts } from '../../texts/config.ts';
import { CodeEditor, type EditorHandle } from './code-editor.tsx';
import type { Compiler } from './compiler.ts';
import { Difference } from './difference.tsx';
import { FindingList } from './finding-list.tsx';
import { hasErrors } from './findings.ts';
import { findRange, lineAt } from './places.ts';
import { type CheckedText, type DryRun, parseConfig, useCheckedText } from './use-checked-text.ts';
import './config.css';

/** Whether a text can be saved: the gateway has checked it and found no errors. */
export const isSaveable = (text: string, { findings, dryRun }: CheckedText): boolean =>
  parseConfig(text) !== undefined && dryRun !== undefined && !hasErrors(findings);

export interface EditConfigProps {
  readonly label: string;
  /** The name of the plan. */
  readonly name: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly compiler: Compiler | undefined;
  /** Whether no compiler could be started, so that the editor does not wait for one. */
  readonly hasNoCompiler?: boolean;
  /** Checks the config with a dry run of the gateway; absent if the key does not allow it. */
  readonly dryRun?: ((config: unknown, signal: AbortSignal) => Promise<DryRun>) | undefined;
  /** Receives the handle of the editor once the editor exists. */
  readonly handle: { current: EditorHandle | null };
  onChange(text: string): void;
  /** Renders buttons and notices above the editor, depending on what is known about its text. */
  children(checked: CheckedText): ComponentChildren;
}

type Side = 'picture' | 'difference';

interface StateProps {
  readonly text: string;
  readonly checked: CheckedText;
  /** Whether the gateway also checks the text. Otherwise the findings of the compiler on the page are the only ones. */
  readonly asksGateway: boolean;
}

const State = ({ text, checked, asksGateway }: StateProps): VNode => {
  const { findings, dryRun, isCompiled, refused, compilerFailed } = checked;
  if (refused !== undefined) return <ErrorText error={refused} />;
  if (compilerFailed && !asksGateway)
    return (
      <p class="muted" role="status">
        {texts.findings.notChecked}
      </p>
    );
  const isWaiting = asksGateway ? dryRun === undefined : !isCompiled;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return (
    <p class="muted" role="status">
      {errors > 0
        ? texts.findings.errors(errors)
        : parseConfig(text) === undefined
          ? texts.findings.notJson
          : isWaiting
            ? texts.findings.waiting
            : texts.findings.none(findings.length)}
      {compilerFailed && ` ${texts.findings.compilerFailed}`}
    </p>
  );
};

/** An editor for a config, with the findings of the compiler, the picture of the plan, and the changes in behaviour. */
export const EditConfig = (props: EditConfigProps): VNode => {
  const { label, name, text, isReadOnly, compiler, hasNoCompiler = false, dryRun, handle, onChange, children } = props;
  const [side, setSide] = useState<Side>('picture');
  const found = useCheckedText(text, { compiler, dryRun });
  const checked = hasNoCompiler ? { ...found, compilerFailed: true } : found;
  const { findings, fixes, plan: compiled, isPlanCurrent, dryRun: tried } = checked;
  const plan = useMemo(() => compiled && { ...compiled, name }, [compiled, name]);
  const show = (path: JsonPointer, takesFocus: boolean): void =>
    handle.current?.show(findRange(text, path), takesFocus);
  const picture = (): VNode =>
    plan === undefined ? (
      <p class="muted">{texts.picture.none}</p>
    ) : (
      <div class="stack">
        {!isPlanCurrent && <Notice kind="warning">{texts.picture.stale}</Notice>}
        {tried?.bounds && (
          <p class="muted">
            {texts.picture.bounds(tried.bounds.leaves, tried.bounds.attempts, toDuration(tried.bounds.longest_ms))}
          </p>
        )}
        <PlanPicture
          plan={plan}
          onSelect={(path) => show(path, false)}
          goTo={{
            text: (path) => texts.picture.line(lineAt(text, findRange(text, path).from)),
            run: (path) => show(path, true),
          }}
        />
      </div>
    );
  const difference = (): VNode =>
    tried?.comparison ? (
      <Difference comparison={tried.comparison} />
    ) : (
      <p class="muted">{tried === undefined ? texts.difference.waiting : texts.difference.none}</p>
    );
  const differences: readonly Tab<Side>[] =
    dryRun === undefined ? [] : [{ name: 'difference', title: texts.sides.difference, content: difference }];
  return (
    <div class="edit-config">
      <div class="edit-config-actions">{children(checked)}</div>
      <div class="edit-config-columns">
        <section aria-label={label} class="edit-config-text">
          <CodeEditor {...{ label, text, isReadOnly, findings, compiler, handle, onChange }} />
          <State text={text} checked={checked} asksGateway={dryRun !== undefined} />
          <FindingList
            {...{ text, findings, fixes, isReadOnly }}
            onShow={({ from, to }) => handle.current?.show({ from, to }, true)}
            onFix={({ change }) => handle.current?.apply(change)}
          />
        </section>
        <section aria-label={texts.sides.label} class="edit-config-side">
          <Tabs<Side>
            label={texts.sides.label}
            current={side}
            onChange={setSide}
            tabs={[{ name: 'picture', title: texts.sides.picture, content: picture }, ...differences]}
          />
        </section>
      </div>
    </div>
  );
};

/** Warns before the browser leaves the page while there are unsaved changes. */
export const useLeaveWarning = (isChanged: boolean): void => {
  const changed = useRef(isChanged);
  changed.current = isChanged;
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (changed.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
};
