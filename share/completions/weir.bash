# Completion for weir(1) in bash. tests/cli/words.sh compares it with what the command says of itself.

_weir() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} sub=${COMP_WORDS[1]:-}
    local formats='json ndjson json-seq cbor cbor-diag msgpack'
    local maps='bytes timestamp nonfinite key bigint tag null bom comments anchors all'
    local limits='input output depth nodes items entries key string number payload memory documents
        expansion expansion-ratio normalized'
    local common='--from --multi --single --allow --numbers --duplicates --limits --unlimited --detail
        --no-detail --error-format --progress --no-progress --color --help'
    local layout='--output --in-place --skip-bad --indent --compact --sort-keys --canonical'
    local options=''
    COMPREPLY=()

    # "--name=value" comes as three words.
    if [[ $cur == '=' ]]; then
        cur=''
    elif [[ $prev == '=' ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W 'convert check fmt formats help --help --version' -- "$cur"))
        return
    fi
    case $prev in
    -f | --from | -t | --to)
        COMPREPLY=($(compgen -W "$formats" -- "$cur"))
        return
        ;;
    -o | --output)
        COMPREPLY=($(compgen -f -- "$cur"))
        return
        ;;
    -j | --jobs | --indent)
        return
        ;;
    --allow)
        COMPREPLY=($(compgen -W "$maps" -P "$(_weir_before "$cur")" -- "${cur##*,}"))
        return
        ;;
    --numbers)
        COMPREPLY=($(compgen -W 'exact strict double decimal' -- "$cur"))
        return
        ;;
    --duplicates)
        COMPREPLY=($(compgen -W 'keep first last reject' -- "$cur"))
        return
        ;;
    --limits)
        COMPREPLY=($(compgen -W "$limits" -S '=' -P "$(_weir_before "$cur")" -- "${cur##*,}"))
        compopt -o nospace 2> /dev/null
        return
        ;;
    --error-format)
        COMPREPLY=($(compgen -W 'text json' -- "$cur"))
        return
        ;;
    --color)
        COMPREPLY=($(compgen -W 'auto always never' -- "$cur"))
        return
        ;;
    esac
    case $sub in
    convert) options="$common $layout --to --jobs" ;;
    check) options="$common --verbose" ;;
    fmt) options="$common $layout" ;;
    formats) options='--json --color --help' ;;
    help)
        COMPREPLY=($(compgen -W 'convert check fmt formats' -- "$cur"))
        return
        ;;
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
    elif [[ $sub != formats ]]; then
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}

# The part of a list with commas that stands already.
_weir_before() {
    [[ $1 == *,* ]] && printf '%s,' "${1%,*}"
}

complete -o filenames -o bashdefault -F _weir weir
