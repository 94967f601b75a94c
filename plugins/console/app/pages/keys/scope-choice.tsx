import { texts } from '../../texts/keys.ts';

export interface ScopeChoiceProps {
  /** The scopes that can be granted. */
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
}

/** The scopes, grouped by resource, with a checkbox for each. */
export const ScopeChoice = ({ offered, chosen, onChange }: ScopeChoiceProps) => {
  const groups = [...Map.groupBy(offered, (scope) => scope.split('.')[0] ?? '')];
  return (
    <fieldset class="scope-choice">
      <legend class="label">{texts.form.scopes}</legend>
      {groups.map(([resource, scopes]) => (
        <fieldset key={resource} class="scope-group">
          <legend>{resource.replaceAll('_', ' ')}</legend>
          {scopes.map((scope) => (
            <label key={scope} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={(event) =>
                  onChange(event.currentTarget.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
                }
              />
              <span>{scope.split('.').slice(1).join('.')}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </fieldset>
  );
};
