import { useSignal } from '@preact/signals';
import { TextField } from '../../parts/text-field.tsx';
import { setQuery } from '../../router/router.ts';
import { texts } from '../../texts/usage.ts';
import { brushed, type Range, type RangeProblem, rangeProblem } from './range.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Seconds as an input of a local time writes them. */
const toLocal = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
};

const toSeconds = (text: string): number => Math.floor(new Date(text).getTime() / 1000);

interface EndFieldProps {
  readonly label: string;
  readonly seconds: number;
  /** Takes another end, or says why it does not. */
  readonly onChange: (seconds: number) => RangeProblem | undefined;
}

/** A field for an end of the time. It counts when it is left, or by Enter: each key that is typed there makes another time. */
const EndField = ({ label, seconds, onChange }: EndFieldProps) => {
  const written = useSignal<string | undefined>(undefined);
  const problem = useSignal<RangeProblem | undefined>(undefined);
  const take = (): void => {
    if (written.value === undefined) return;
    const end = toSeconds(written.value);
    problem.value = Number.isNaN(end) ? undefined : onChange(end);
    if (problem.value === undefined) written.value = undefined;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: these events are those of the field.
    <div
      onFocusOut={take}
      onKeyDown={({ key }) => {
        if (key === 'Enter') take();
      }}
    >
      <TextField
        label={label}
        type="datetime-local"
        error={problem.value === undefined ? undefined : texts.rangeProblems[problem.value]}
        value={written.value ?? toLocal(seconds)}
        onInput={(text) => {
          written.value = text;
        }}
      />
    </div>
  );
};

/** The ends of the time, for those who do not drag over a chart. */
export const TimeFields = ({ range }: { readonly range: Range }) => {
  const change = (from: number, to: number): RangeProblem | undefined => {
    const problem = rangeProblem(from, to);
    if (problem === undefined) setQuery({ range: undefined, ...brushed(from, to) }, { push: true });
    return problem;
  };
  return (
    <>
      <EndField label={texts.from} seconds={range.from} onChange={(from) => change(from, range.to)} />
      <EndField label={texts.to} seconds={range.to} onChange={(to) => change(range.from, to)} />
    </>
  );
};
