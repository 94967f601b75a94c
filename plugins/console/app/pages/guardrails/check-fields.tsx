import type { ApiError } from '../../api/error.ts';
import { Button } from '../../components/button.tsx';
import { type ControlProps, Field } from '../../components/field.tsx';
import { texts } from '../../texts/guardrails.ts';
import { type CheckDraft, type ParameterShape, parameterNames, type ReadChecks, toControlKind } from './parameters.ts';

export interface CheckKind {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly parameters: ParameterShape;
}

/** Finds a check by its id or another of its names, ignoring case, as guardrails do. */
export const findCheck = (kinds: readonly CheckKind[], id: string): CheckKind | undefined => {
  const written = id.trim().toLowerCase();
  // The gateway's own checks need no prefix.
  const names = [written, `default.${written}`];
  return kinds.find((kind) => [kind.id, ...kind.aliases].some((each) => names.includes(each.toLowerCase())));
};

export interface CheckFieldsProps {
  /** Zero-based. */
  readonly at: number;
  readonly draft: CheckDraft;
  readonly kinds: readonly CheckKind[];
  readonly failed: Extract<ReadChecks, { kind: 'failed' }> | undefined;
  readonly error: ApiError | undefined;
  readonly onChange: (draft: CheckDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

const optionsOf = (shape: ParameterShape): readonly { readonly value: string; readonly text: string }[] =>
  toControlKind(shape) === 'flag'
    ? [
        { value: 'true', text: texts.yes },
        { value: 'false', text: texts.no },
      ]
    : (shape.enum ?? []).map((each) => ({ value: String(each), text: String(each) }));

interface ParameterControlProps {
  readonly attributes: ControlProps;
  readonly shape: ParameterShape;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const ParameterControl = ({ attributes, shape, value, onChange }: ParameterControlProps) => {
  const kind = toControlKind(shape);
  if (kind === 'choice' || kind === 'flag')
    return (
      <select
        {...attributes}
        class="input"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">{texts.notChosen}</option>
        {optionsOf(shape).map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    );
  if (kind === 'lines' || kind === 'json')
    return (
      <textarea
        {...attributes}
        class={kind === 'json' ? 'input mono' : 'input'}
        rows={3}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  const shared = { ...attributes, class: 'input', value };
  return kind === 'secret' ? (
    <input
      {...shared}
      type="password"
      autocomplete="new-password"
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ) : (
    <input {...shared} autocomplete="off" onInput={({ currentTarget }) => onChange(currentTarget.value)} />
  );
};

/** The fields of a check: its name and a control for each parameter of its schema. */
export const CheckFields = ({ at, draft, kinds, failed, error, onChange, onRemove }: CheckFieldsProps) => {
  const kind = findCheck(kinds, draft.id);
  const change = (name: string, text: string): void =>
    onChange({ ...draft, fields: { ...draft.fields, [name]: text } });
  const problem = error?.problems.find(({ pointer }) => pointer === `/checks/${at}/id`);
  const problemOf = (name: string): string | undefined => {
    if (failed?.check === at && failed.name === name) return texts[failed.why];
    const base = `/checks/${at}/parameters`;
    const found = error?.problems.find(
      ({ pointer }) => pointer === `${base}/${name}` || pointer.startsWith(`${base}/${name}/`),
    );
    return found === undefined ? undefined : `${found.message} ${found.hint}`;
  };
  return (
    <fieldset class="card guardrail-check">
      <legend>{texts.check(at + 1)}</legend>
      <div class="form">
        <Field
          label={texts.check(at + 1)}
          hint={texts.checkHint}
          error={problem === undefined ? undefined : `${problem.message} ${problem.hint}`}
        >
          {(control) => (
            <>
              <input
                {...control}
                class="input"
                list={`check-kinds-${at}`}
                autocomplete="off"
                value={draft.id}
                onInput={({ currentTarget }) => onChange({ ...draft, id: currentTarget.value })}
              />
              <datalist id={`check-kinds-${at}`}>
                {kinds.map(({ id }) => (
                  <option key={id} value={id} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        {kind !== undefined &&
          parameterNames(kind.parameters).map((name) => {
            const shape = kind.parameters.properties?.[name] ?? {};
            const control = toControlKind(shape);
            const value = draft.fields[name] ?? '';
            const isRequired = kind.parameters.required?.includes(name) === true;
            const hint = [
              shape.description ?? '',
              control === 'lines' ? texts.listHint : '',
              control === 'json' ? texts.jsonHint : '',
            ]
              .filter((each) => each !== '')
              .join(' ');
            return (
              <Field
                key={name}
                label={isRequired ? `${name} *` : name}
                error={problemOf(name)}
                {...(hint === '' ? {} : { hint })}
              >
                {(attributes) => (
                  <ParameterControl
                    attributes={attributes}
                    shape={shape}
                    value={value}
                    onChange={(text) => change(name, text)}
                  />
                )}
              </Field>
            );
          })}
        {onRemove !== undefined && (
          <div>
            <Button size="small" kind="ghost" onClick={onRemove}>
              {texts.removeCheck(at + 1)}
            </Button>
          </div>
        )}
      </div>
    </fieldset>
  );
};
