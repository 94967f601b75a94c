import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Segments } from '../../parts/small.tsx';
import { texts } from '../../texts/playground.ts';
import { type DialectId, dialects, type Via } from './prompt.ts';

/** The route of a side of the comparison, and its API. */
export interface Target {
  readonly via: Via;
  readonly dialect: DialectId;
  readonly model: string;
}

/** The names that can be chosen. */
export interface Choices {
  readonly configs: readonly string[];
  readonly providers: readonly string[];
  readonly models: readonly string[];
}

export interface TargetFieldsProps {
  /** A letter, for names that are unique on the page. */
  readonly name: string;
  readonly target: Target;
  readonly choices: Choices;
  readonly error: string | undefined;
  readonly onChange: (target: Target) => void;
}

const kinds = ['config', 'provider', 'default'] as const;

/** The fields that say where a request goes. */
export const TargetFields = ({ name, target, choices, error, onChange }: TargetFieldsProps) => {
  const { via, dialect, model } = target;
  const listId = `playground-models-${name}`;
  const lists = { config: choices.configs, provider: ['echo', ...choices.providers] };
  const select = (kind: Via['kind']): void =>
    onChange({ ...target, via: kind === 'default' ? { kind } : { kind, name: lists[kind][0] ?? '' } });
  return (
    <div class="stack">
      <Segments
        label={`${texts.viaKindsLabel} (${name})`}
        options={kinds.map((kind) => ({ value: kind, text: texts.viaKinds[kind] }))}
        value={via.kind}
        onChange={select}
      />
      {via.kind !== 'default' && (
        <NameField
          label={texts[via.kind]}
          {...(via.kind === 'config' && lists.config.length === 0 ? { hint: texts.noConfigs } : {})}
          options={lists[via.kind].map((each) => ({ name: each, text: each === 'echo' ? texts.echo : each }))}
          value={via.name}
          onChange={(chosen) => onChange({ ...target, via: { kind: via.kind, name: chosen } })}
        />
      )}
      <div class="form-row">
        <Field label={texts.dialect}>
          {(control) => (
            <select
              {...control}
              class="input"
              value={dialect}
              onChange={({ currentTarget }) =>
                onChange({ ...target, dialect: dialects.find((each) => each === currentTarget.value) ?? 'chat' })
              }
            >
              {dialects.map((each) => (
                <option key={each} value={each}>
                  {texts.dialects[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label={texts.model}
          hint={target.via.kind === 'config' ? texts.configModelHint : texts.modelHint}
          error={error}
        >
          {(control) => (
            <>
              <input
                {...control}
                class="input"
                list={listId}
                value={model}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => onChange({ ...target, model: currentTarget.value })}
              />
              <datalist id={listId}>
                {choices.models.map((each) => (
                  <option key={each} value={each} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
    </div>
  );
};

/** Ends what runs when the page is left. */
export const useStopper = () => {
  const running = useSignal<AbortController | undefined>(undefined);
  useEffect(() => () => running.peek()?.abort(), []);
  return running;
};
