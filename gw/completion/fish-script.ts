import type { CompletionRow, FlagValue } from './completion-rows.ts';

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

const toText = (value: FlagValue): string => {
  if (typeof value !== 'string') return value.join('|');
  return value === 'none' ? '' : value;
};

const toCase = ({ at, words, flags, takesFiles }: CompletionRow): string =>
  [
    `        case ${quoted(at)}`,
    `            set -g __gw_words ${words.map(({ word, describe }) => quoted(`${word}\t${describe}`)).join(' ')}`.trimEnd(),
    `            set -g __gw_flags ${flags.map(({ flag, value, describe }) => quoted(`${flag}:${toText(value)}:${describe}`)).join(' ')}`,
    `            set -g __gw_files ${takesFiles ? 'yes' : 'no'}`,
  ].join('\n');

/** Returns the script for fish 3.0 and later. */
export const fishScript = (
  rows: readonly CompletionRow[],
): string => `# Completion of gw for fish. Load it with: gw completion fish | source

# Sets what can follow a command: words, flags with the values that they take, and whether files do.
function __gw_row
    switch "$argv[1]"
${rows.map(toCase).join('\n')}
        case '*'
            return 1
    end
    # The status is still that of the command before, as set leaves it.
    return 0
end

# Prints the values of a flag, each after a text.
function __gw_values
    if test "$argv[1]" = file
        __fish_complete_path "$argv[3]" | string replace -r '^' -- "$argv[2]"
    else if test "$argv[1]" != text
        string split '|' -- $argv[1] | string replace -r '^' -- "$argv[2]"
    end
end

function __gw_complete
    set -l tokens (commandline -opc)
    set -l cur (commandline -ct)
    set -l at gw
    set -l value ''
    __gw_row gw
    for word in $tokens[2..-1]
        if test -n "$value"
            set value ''
            continue
        end
        if string match -q -- '--*=*' $word
            continue
        else if string match -q -- '-*' $word
            for flag in $__gw_flags
                set -l parts (string split -m 2 : -- $flag)
                test "$parts[1]" = "$word"; and set value $parts[2]
            end
        else if __gw_row "$at $word"
            set at "$at $word"
        end
    end
    if test -n "$value"
        __gw_values $value '' "$cur"
        return
    end
    if string match -q -- '--*=*' $cur
        set -l given (string split -m 1 = -- $cur)
        for flag in $__gw_flags
            set -l parts (string split -m 2 : -- $flag)
            test "$parts[1]" = "$given[1]"; and test -n "$parts[2]"; and __gw_values $parts[2] "$given[1]=" "$given[2]"
        end
        return
    end
    if string match -q -- '-*' $cur
        for flag in $__gw_flags
            set -l parts (string split -m 2 : -- $flag)
            printf '%s\\t%s\\n' $parts[1] $parts[3]
        end
        return
    end
    for word in $__gw_words
        echo $word
    end
    test $__gw_files = yes; and __fish_complete_path "$cur"
end

complete -c gw -f -a '(__gw_complete)'
complete -c gatewright -f -a '(__gw_complete)'
`;
