import { Field } from '../../parts/field.tsx';
import { setQuery } from '../../router/router.ts';
import { texts } from '../../texts/usage.ts';
import { brushed, type Range } from './range.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Seconds as an input of a local time writes them. */
const toLocal = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
};

const toSeconds = (text: string): number => Math.floor(new Date(text).getTime() / 1000);

/** The ends of the time, for those who do not drag over a chart. */
export const TimeFields = ({ range }: { readonly range: Range }) => {
  const change = (from: number, to: number): void => {
    const part = Number.isFinite(from) && Number.isFinite(to) && from < to ? brushed(from, to) : undefined;
    if (part !== undefined) setQuery({ range: undefined, ...part }, { push: true });
  };
  return (
    <>
      <Field label={texts.from}>
        {(control) => (
          <input
            {...control}
            class="input"
            type="datetime-local"
            value={toLocal(range.from)}
            onChange={(event) => change(toSeconds(event.currentTarget.value), range.to)}
          />
        )}
      </Field>
      <Field label={texts.to}>
        {(control) => (
          <input
            {...control}
            class="input"
            type="datetime-local"
            value={toLocal(range.to)}
            onChange={(event) => change(range.from, toSeconds(event.currentTarget.value))}
          />
        )}
      </Field>
    </>
  );
};
